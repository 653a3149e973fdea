import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { BatchV1Api } from '@kubernetes/client-node';
import { adminOf } from '../portal/cluster';
import { BAD_ANSWERS } from './badAnswers';
import { Journey } from './journey';

const NO_TASK = '00000000-0000-4000-8000-000000000000';

/** Text that YAML, shells and templates each read their own way. */
const WILD = [
  '- a: &x 1\n  b: *x\n# no comment\n---\n...\n!!js/function "x"\n',
  '\t${{ 7 * 7 }} {{ secrets }} ${{ steps.render.output }} $(id) `id` $HOME',
  ' "quoted" \'quoted\' \\ \\n | > <<: {a: [b} % @ `',
  'null',
  '~',
  '0x1F',
  '1e3',
  'yes',
  '2026-01-01',
  '',
  ' ',
  'trailing space \n\n',
  'größe 漢字 🚀 \u00a0\u2028\u0085',
];

export const badInputFaults = () =>
  describe('bad input', { concurrency: 6 }, () => {
    let journey: Journey;

    before(async () => {
      journey = await Journey.start();
    });

    BAD_ANSWERS.forEach(({ title, answers, field, says }) => {
      it(`${title} is refused, with field, value and what is accepted`, async () => {
        const refusal = await refusalOf(answers);
        assert.ok(
          refusal.toLowerCase().includes(field.toLowerCase()),
          `no "${field}" in: ${refusal}`,
        );
        for (const words of says) assert.match(refusal, words);
        assert.doesNotMatch(refusal, /hunter2/);
      });
    });

    it('a second replica of a shared GPU is refused', async () => {
      const { items } = await journey.mira.gpu.getDeviceClasses({
        namespace: 'team-07',
        queue: 'gpu',
      });
      const shared = items.find(({ deviceClass }) => deviceClass.singleUnit);
      assert.ok(shared, 'the fleet has a shared GPU');
      const refusal = await refusalOf({
        cluster: shared.cluster,
        device: { deviceClass: shared.deviceClass.id },
        count: 2,
      });
      assert.match(refusal, /count is 2.*accepted is count 1/);
      assert.match(refusal, new RegExp(shared.deviceClass.title));
    });

    it('the same name twice is two requests with a Job each', async () => {
      const one = await journey.askForPullRequest({ name: 'twice' });
      const other = await journey.askForPullRequest({ name: 'twice' });
      assert.notEqual(one.name, other.name);
      await journey.isOneChange(one);
      await journey.isOneChange(other);
    });

    it('text that looks like YAML, shell and template is data, byte for byte', async () => {
      const env = [{ name: 'WILD', value: WILD.join('|') }];
      const purpose = WILD.slice(0, 3).join('\n');
      const asked = await journey.askForPullRequest({
        name: 'wild',
        command: ['sh', '-c', 'sleep 8', '--'],
        args: WILD,
        env,
        purpose,
      });
      assert.equal(asked.purpose, purpose);
      await journey.merge(asked);
      const text = await journey.forge.read(asked.file.path, 'main');
      const [written] = parse(text).spec.template.spec.containers;
      assert.deepEqual(written.args, WILD);
      assert.deepEqual(written.env, env);

      await journey.wentOnce(asked.id);
      const job = await adminOf(journey.addresses['spoke-a'])
        .makeApiClient(BatchV1Api)
        .readNamespacedJob({ name: asked.name, namespace: 'team-07' });
      const [running] = job.spec!.template.spec!.containers;
      assert.deepEqual(running.args, WILD);
      assert.equal(running.env![0].value, env[0].value);
    });

    const API: Array<
      [
        title: string,
        method: string,
        path: string,
        body: unknown,
        status: number,
        says: RegExp,
      ]
    > = [
      ['fit of no GPU', 'POST', '/fit', fit({ count: 0 }), 400, /count/],
      ['fit of a part', 'POST', '/fit', fit({ count: 1.5 }), 400, /count/],
      ['fit of text', 'POST', '/fit', fit({ count: '1' }), 400, /count/],
      ['fit of nothing', 'POST', '/fit', {}, 400, /namespace/],
      ['fit in unicode', 'POST', '/fit', fit({ queue: 'größe' }), 400, /queue/],
      ['fit of a list', 'POST', '/fit', [], 400, /object/],
      ['half of JSON', 'POST', '/fit', '{"count": 1', 400, /JSON/],
      ['a page of none', 'GET', '/requests?limit=0', undefined, 400, /limit/],
      ['a page of text', 'GET', '/requests?limit=x', undefined, 400, /limit/],
      [
        'a cursor of air',
        'GET',
        '/requests?cursor=x',
        undefined,
        400,
        /cursor/,
      ],
      ['a state of none', 'GET', '/requests?state=x', undefined, 400, /state/],
      ['a request of none', 'GET', '/requests/none', undefined, 404, /none/],
      ['a bad id', 'GET', '/requests/%00', undefined, 400, /id/],
      ['a broken escape', 'GET', '/requests/%E0%A4%A', undefined, 400, /./],
      ['a method of none', 'DELETE', '/requests/none', undefined, 405, /./],
      [
        'half a registration',
        'PUT',
        '/requests/x',
        { name: 'x' },
        400,
        /required property/,
      ],
    ];
    API.forEach(([title, method, path, body, status, says]) => {
      it(`${title}: ${method} ${path} is ${status}`, async () => {
        const response = await journey.mira.fetch(`/api/gpu/v1${path}`, {
          method,
          ...(body !== undefined && {
            headers: { 'content-type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        });
        const text = await response.text();
        assert.equal(response.status, status, text);
        assert.match(JSON.parse(text).error.message, says);
      });
    });

    it("another's request, and a file that is not the request's, are refused", async () => {
      const asked = await journey.askForPullRequest({ name: 'mine' });
      const own = {
        entity: asked.entity,
        cluster: asked.cluster,
        namespace: asked.namespace,
        queue: asked.queue,
        kind: asked.kind,
        name: asked.name,
        deviceClass: asked.deviceClass,
        flavor: asked.flavor,
        units: asked.units,
        file: asked.file,
      };
      const { gpu } = journey.mira;
      const path = 'clusters/spoke-a/team-08/x.yaml';
      await assert.rejects(
        gpu.putRequest(asked.id, { ...own, file: { ...own.file, path } }),
        ({ body }: any) => /file\.path is .*team-08/.test(body.error.message),
      );
      await assert.rejects(
        gpu.putRequest(NO_TASK, own),
        ({ statusCode, body }: any) =>
          statusCode === 404 && body.error.message.includes(NO_TASK),
      );
      await assert.rejects(
        gpu.putRequest(asked.id, { ...own, units: 0 }),
        ({ statusCode, body }: any) =>
          statusCode === 400 && /units/.test(body.error.message),
      );
      // The same again changes nothing.
      const again = await gpu.putRequest(asked.id, own);
      assert.deepEqual(
        [again.name, again.file, again.pullRequest, again.createdAt],
        [asked.name, asked.file, asked.pullRequest, asked.createdAt],
      );
    });

    function fit(changes: Record<string, unknown>) {
      return {
        namespace: 'team-07',
        queue: 'gpu',
        deviceClass: 'nvidia-h100-80gb-hbm3',
        count: 1,
        ...changes,
      };
    }

    /** The words a request is refused with: at once, or by the task's end. */
    async function refusalOf(
      answers: Record<string, unknown>,
    ): Promise<string> {
      const id = await journey.ask(answers).catch(error => {
        assert.match(error.message, /: 400 /);
        return { refused: error.message as string };
      });
      if (typeof id !== 'string') return id.refused;
      const task = await journey.ended(id);
      assert.equal(
        task.status,
        'failed',
        `${JSON.stringify(answers)} got through`,
      );
      await assert.rejects(journey.mira.gpu.getRequest(id));
      return task.error ?? '';
    }
  });
