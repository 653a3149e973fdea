import { renderInTestApp } from '@backstage/frontend-test-utils';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { chosenPerson } from './chosenPerson';
import { SignInPage } from './SignInPage';

const people = [
  { name: 'mira', title: 'Mira Okafor', description: 'ML engineer' },
  { name: 'pavel', title: 'Pavel Horák', description: 'Platform engineer' },
];

const session = {
  providerInfo: {},
  profile: { displayName: 'pavel' },
  backstageIdentity: {
    token: `e30.${btoa(JSON.stringify({ exp: 4102444800 }))}.x`,
    identity: {
      type: 'user',
      userEntityRef: 'user:default/pavel',
      ownershipEntityRefs: ['user:default/pavel'],
    },
  },
};

function open() {
  const onSignInSuccess = jest.fn();
  renderInTestApp(<SignInPage onSignInSuccess={onSignInSuccess} />, {
    config: {
      app: { title: 'GPU as a Service', baseUrl: 'http://localhost', people },
      backend: { baseUrl: 'http://localhost' },
    },
  });
  return onSignInSuccess;
}

describe('SignInPage', () => {
  const fetch = jest.spyOn(global, 'fetch');

  beforeEach(() => {
    sessionStorage.clear();
    fetch.mockReset();
  });
  afterAll(() => fetch.mockRestore());

  it('signs the chosen person in, by keyboard, and remembers it', async () => {
    fetch.mockResolvedValue(new Response(JSON.stringify(session)));
    const onSignInSuccess = open();
    await screen.findByText('Mira Okafor');
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');

    await waitFor(() => expect(onSignInSuccess).toHaveBeenCalled());
    const [url, init] = fetch.mock.calls[0];
    expect(url).toBe('http://localhost/api/auth/sandbox/refresh');
    expect(new Headers(init?.headers).get('x-sandbox-user')).toBe('pavel');
    expect(chosenPerson.get()).toBe('pavel');

    const [identity] = onSignInSuccess.mock.calls[0];
    expect(await identity.getBackstageIdentity()).toMatchObject({
      userEntityRef: 'user:default/pavel',
    });
    await identity.signOut();
    expect(chosenPerson.get()).toBeUndefined();
  });

  it('signs in again without asking after a reload', async () => {
    chosenPerson.set('mira');
    fetch.mockResolvedValue(new Response(JSON.stringify(session)));
    const onSignInSuccess = open();
    await waitFor(() => expect(onSignInSuccess).toHaveBeenCalled());
    expect(screen.queryByText('Mira Okafor')).not.toBeInTheDocument();
  });

  it('says why it cannot sign in and lets choose again', async () => {
    chosenPerson.set('mira');
    fetch.mockResolvedValue(
      new Response(
        JSON.stringify({
          error: { name: 'NotFoundError', message: 'User not found' },
          response: { statusCode: 404 },
        }),
        { status: 404, headers: { 'content-type': 'application/json' } },
      ),
    );
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent(/404/);
    await userEvent.click(screen.getByRole('button', { name: 'Choose again' }));
    expect(await screen.findByText('Pavel Horák')).toBeInTheDocument();
    expect(chosenPerson.get()).toBeUndefined();
  });
});
