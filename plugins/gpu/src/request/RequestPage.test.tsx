import { screen, within } from '@testing-library/react';
import {
  FixtureGpuApi,
  fullFixture,
  queuedRequest,
  refusedRequest,
  runningRequest,
  succeededRequest,
} from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { RequestsRoutes } from '../requests/RequestsRoutes';

const now = new Date();

function open(api: FixtureGpuApi, id: string) {
  renderPage(<RequestsRoutes />, api, {
    path: `/gpu/requests/${id}`,
    mountPath: '/gpu/requests',
  });
}

const api = () => new FixtureGpuApi(fullFixture(now));

describe('RequestPage', () => {
  it('tells the eight steps and the delivered leg in order', async () => {
    open(api(), runningRequest(now).id);

    expect(
      await screen.findByRole('heading', {
        level: 2,
        name: 'Fine-tune the assistant on support tickets',
      }),
    ).toBeInTheDocument();
    const steps = within(
      screen.getByRole('region', { name: 'What happened' }),
    ).getAllByRole('listitem');
    expect(
      steps.map(step => within(step).getByRole('heading').textContent),
    ).toEqual([
      'Requested',
      'Authorised',
      'Delivered',
      'Placed',
      'Partitioned',
      'Running',
      'Observed',
      'Metered',
      'Released',
    ]);
    expect(steps[1]).toHaveTextContent('gitea · pavel');
    expect(steps[1]).toHaveTextContent('+1 min');
    expect(steps[8]).toHaveAttribute('aria-current', 'step');
    expect(screen.getByText('It is running on spoke-a.')).toBeInTheDocument();
  });

  it('links to the pull request, the Application and the manifest', async () => {
    open(api(), runningRequest(now).id);

    expect(
      await screen.findByRole('link', { name: /Pull request #41/ }),
    ).toHaveAttribute(
      'href',
      'http://git.example.com/platform/gpu-fleet/pulls/41',
    );
    expect(
      screen.getByRole('link', { name: /Application argocd\/spoke-a-team-07/ }),
    ).toHaveAttribute(
      'href',
      'http://argocd.example.com/applications/spoke-a-team-07',
    );
    expect(
      screen.getByRole('link', { name: /llm-finetune-5b1c7a52\.yaml/ }),
    ).toBeInTheDocument();
    expect(screen.getByText(/kubectl get job/)).toHaveTextContent(
      'kubectl get job llm-finetune-5b1c7a52 -n team-07',
    );
  });

  it('says why it waits, with Kueue’s own words beside', async () => {
    open(api(), queuedRequest(now).id);

    const notice = (await screen.findByText(/Why it waits/)).closest(
      '[role="status"]',
    );
    expect(notice).toHaveTextContent('more than the 6 your queue can take now');
    expect(notice).toHaveTextContent(
      'Kueue says' + "couldn't assign flavors to pod set main: insufficient",
    );
  });

  it('shows the words of a cluster that refused it', async () => {
    open(api(), refusedRequest(now).id);

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'admission webhook "vjob.kb.io" denied the request',
    );
    expect(screen.getAllByText('will not happen').length).toBe(6);
  });

  it('says what cannot be read and shows clocks that differ', async () => {
    open(api(), succeededRequest(now).id);

    expect(
      await screen.findByText(
        'Cannot read spoke-b since 10:26:00Z: connection refused',
      ),
    ).toBeInTheDocument();
    expect(screen.getByText(/clocks differ by 3 s/)).toBeInTheDocument();
  });

  it('says so when there is no such request', async () => {
    open(api(), 'nobody-asked');

    expect(
      await screen.findByText('There is no such thing here'),
    ).toBeInTheDocument();
  });

  it('keeps the last good answer with its age when the backend fails', async () => {
    const failing = api();
    open(failing, runningRequest(now).id);
    await screen.findByRole('region', { name: 'What happened' });
    failing.failure = new Error('The database is not reachable');

    expect(
      await screen.findByText(/The GPU service does not answer since/),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/What you see is of.*The database is not reachable/),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('region', { name: 'What happened' }),
    ).toBeInTheDocument();
  });

  it('keeps telling the story without the Workload’s facts', async () => {
    const silent = api();
    silent.getWorkload = async () => {
      throw new Error('spoke-a is down');
    };
    open(silent, runningRequest(now).id);

    expect(
      await screen.findByRole('region', { name: 'What happened' }),
    ).toBeInTheDocument();
  });
});
