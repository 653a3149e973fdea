import { TestForge } from '../testForge';
import { renderMarkdown } from './markdown';

describe('pages of the forge', () => {
  let forge: TestForge;
  const home = '/platform/gpu-fleet';

  const get = async (path: string, person?: string) => {
    const response = await fetch(`${forge.forge.url}${path}`, {
      redirect: 'manual',
      headers: person ? { cookie: `forge-person=${person}` } : {},
    });
    return { response, text: await response.text() };
  };
  const post = (
    path: string,
    form: Record<string, string>,
    person?: string,
    origin?: string,
  ) =>
    fetch(`${forge.forge.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
      headers: {
        ...(person && { cookie: `forge-person=${person}` }),
        ...(origin && { origin }),
      },
    });
  const pull = async () => (await forge.call('GET', 'pulls/1')).body;

  beforeEach(async () => {
    forge = await TestForge.start();
    await forge.openPull('topic/one', 'c/new.yaml', 'n: <1>\n');
  });
  afterEach(() => forge.stop());

  it('leads from the front door to the list and the pull request', async () => {
    expect((await get('/')).response.headers.get('location')).toBe(
      `${home}/pulls`,
    );
    const list = await get(`${home}/pulls`);
    expect(list.response.headers.get('content-type')).toContain('text/html');
    expect(list.text).toContain(`href="${home}/pulls/1"`);
    const one = await get(`${home}/pulls/1`);
    expect(one.text).toContain('Add c/new.yaml');
    expect(one.text).toContain('<td>+n: &lt;1&gt;</td>');
    expect(one.text).toContain('Sign in');
    expect(one.text).not.toContain('>Merge<');
    expect((await get(`${home}/pulls/1.diff`)).text).toContain('+n: <1>');
    expect((await get(`${home}/pulls/9`)).response.status).toBe(404);
    expect((await get('/nobody/nothing')).response.status).toBe(404);
  });

  it('signs people in, and nobody else', async () => {
    const page = await get('/sign-in?return=/platform/gpu-fleet/pulls/1');
    expect(page.text).toContain('value="mira"');
    expect(page.text).not.toContain('value="argocd"');
    const form = { login: 'mira', return: `${home}/pulls/1` };
    const answer = await post('/sign-in', form);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`${home}/pulls/1`);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^forge-person=mira; .*HttpOnly; SameSite=Lax/,
    );
    expect((await post('/sign-in', { login: 'argocd' })).status).toBe(422);
    const away = await post('/sign-in', { ...form, return: '//evil.example' });
    expect(away.headers.get('location')).toBe('/');
  });

  it('lets a maintainer approve and merge what they have seen', async () => {
    const { head } = await pull();
    const approved = await post(`${home}/pulls/1/approve`, {}, 'pavel');
    expect(approved.status).toBe(303);
    const stale = await post(
      `${home}/pulls/1/merge`,
      { head: '0'.repeat(40) },
      'pavel',
    );
    expect(stale.status).toBe(409);
    expect(await stale.text()).toContain('head out of date');
    await post(`${home}/pulls/1/merge`, { head: head.sha }, 'pavel');
    expect(await pull()).toMatchObject({
      merged: true,
      merged_by: { login: 'pavel' },
    });
    const page = (await get(`${home}/pulls/1`, 'pavel')).text;
    expect(page).toContain('Merged');
    expect(page).toContain('approved');
  });

  it('lets others comment and close, but not merge', async () => {
    const page = (await get(`${home}/pulls/1`, 'mira')).text;
    expect(page).toContain('Only the platform team can merge');
    expect(page).toMatch(/<button\s+class="primary"\s+disabled\s*>\s*Merge/);
    const merge = await post(`${home}/pulls/1/merge`, {}, 'mira');
    expect(merge.status).toBe(405);
    await post(`${home}/pulls/1/comment`, { body: '**why**?' }, 'mira');
    expect((await get(`${home}/pulls/1`)).text).toContain(
      '<strong>why</strong>',
    );
    await post(`${home}/pulls/1/close`, {}, 'mira');
    expect((await pull()).state).toBe('closed');
    await post(`${home}/pulls/1/reopen`, {}, 'mira');
    expect((await pull()).state).toBe('open');
  });

  it('acts for nobody without a sign-in, nor for a form of another site', async () => {
    const anonymous = await post(`${home}/pulls/1/close`, {});
    expect(anonymous.headers.get('location')).toMatch(/^\/sign-in/);
    const foreign = await post(
      `${home}/pulls/1/close`,
      {},
      'pavel',
      'http://evil.example',
    );
    expect(foreign.status).toBe(403);
    expect((await pull()).state).toBe('open');
    const own = await post(
      `${home}/pulls/1/close`,
      {},
      'pavel',
      forge.forge.url,
    );
    expect(own.status).toBe(303);
  });

  it('shows files, folders and commits, also on branches with slashes', async () => {
    const file = await get(`${home}/src/branch/topic/one/c/new.yaml`);
    expect(file.text).toContain('n: &lt;1&gt;');
    expect((await get(`${home}/src/branch/main/`)).text).toContain('README.md');
    const { head } = await pull();
    expect((await get(`${home}/commit/${head.sha}`)).text).toContain(
      'Add c/new.yaml',
    );
    const raw = await get(`${home}/raw/commit/${head.sha}/c/new.yaml`);
    expect(raw.text).toBe('n: <1>\n');
  });
});

describe('Markdown', () => {
  it.each([
    ['<script>x</script>', '&lt;script&gt;x&lt;/script&gt;'],
    ['[a](javascript:x)', '[a](javascript:x)'],
    ['![a](http://b.example/c.png)', '!<a href'],
    ['- [x] done', '☑ done'],
    ['- [ ] to do', '☐ to do'],
    ['|a|b|\n|-|-|\n|1|2|', '<td>1</td>'],
    ['[a](http://b.example)', 'rel="noopener noreferrer nofollow"'],
  ])('%s', (text, expected) => {
    const rendered = renderMarkdown(text).text;
    expect(rendered).toContain(expected);
    expect(rendered).not.toMatch(/<script|<img|href="javascript/);
  });
});
