import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { TestNamespace } from './testNamespace';

const found = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!found) {
  process.stderr.write('kubectl is not on PATH: its suite is left out\n');
}

const manifest = (parallelism: number) => `
apiVersion: batch/v1
kind: Job
metadata:
  name: train
  labels: { tier: gpu }
spec:
  parallelism: ${parallelism}
  completions: 4
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox:1
          command: [sh, -c, sleep 600]
          resources:
            limits: { nvidia.com/gpu: '1' }
`;

(found ? describe : describe.skip).each(worlds())(
  '$name: kubectl, as it is',
  world => {
    let running: RunningWorld;
    let namespace: TestNamespace;
    let folder: string;

    beforeAll(async () => {
      running = await world.start();
      namespace = new TestNamespace(running.clusters[0]);
      await namespace.create();
      folder = await mkdtemp(join(tmpdir(), 'contract-'));
      await writeFile(
        join(folder, 'kubeconfig'),
        namespace.cluster.kubectlConfig,
      );
    });

    afterAll(async () => {
      await namespace.remove();
      await running.close();
      await rm(folder, { recursive: true });
    });

    const environment = () => ({
      ...process.env,
      // Its cache of discovery goes to the home folder.
      HOME: folder,
      KUBECONFIG: join(folder, 'kubeconfig'),
    });

    function kubectl(...words: string[]): Promise<string> {
      return new Promise((resolve, reject) => {
        execFile(
          'kubectl',
          ['-n', namespace.name, ...words],
          { env: environment() },
          (error, stdout, stderr) =>
            error ? reject(new Error(stderr)) : resolve(stdout),
        );
      });
    }

    async function apply(parallelism: number): Promise<string> {
      const file = join(folder, 'job.yaml');
      await writeFile(file, manifest(parallelism));
      return kubectl('apply', '-f', file);
    }

    it('knows the kinds', async () => {
      const kinds = await kubectl('api-resources', '-o', 'name');
      expect(kinds.split('\n')).toEqual(
        expect.arrayContaining([
          'jobs.batch',
          'pods',
          'workloads.kueue.x-k8s.io',
        ]),
      );
    });

    it('applies, changes, shows and deletes a Job', async () => {
      expect(await apply(2)).toBe('job.batch/train created\n');
      expect(await apply(2)).toBe('job.batch/train unchanged\n');
      expect(await apply(1)).toBe('job.batch/train configured\n');
      const [header, row] = (await kubectl('get', 'jobs', '-o', 'wide')).split(
        '\n',
      );
      expect(header.split(/\s+/)).toEqual([
        'NAME',
        'STATUS',
        'COMPLETIONS',
        'DURATION',
        'AGE',
        'CONTAINERS',
        'IMAGES',
        'SELECTOR',
      ]);
      expect(row).toMatch(/^train\s+Running\s+0\/4\s/);
      const text = await kubectl('describe', 'job', 'train');
      expect(text).toMatch(/Parallelism:\s+1/);
      expect(text).toMatch(/nvidia.com\/gpu:\s+1/);
      expect(
        await kubectl(
          'patch',
          'job',
          'train',
          '-p',
          '{"spec":{"suspend":true}}',
        ),
      ).toBe('job.batch/train patched\n');
      expect(
        await kubectl('get', 'job', 'train', '-o', 'jsonpath={.spec.suspend}'),
      ).toBe('true');
      expect(await kubectl('label', 'job', 'train', 'seen=yes')).toBe(
        'job.batch/train labeled\n',
      );
      expect(await kubectl('delete', 'job', 'train')).toContain('deleted');
      await expect(kubectl('get', 'job', 'train')).rejects.toThrow(
        'Error from server (NotFound): jobs.batch "train" not found',
      );
    });

    it('shows nodes, and what is wrong, in words', async () => {
      const [header] = (await kubectl('get', 'nodes')).split('\n');
      expect(header.split(/\s+/)).toEqual([
        'NAME',
        'STATUS',
        'ROLES',
        'AGE',
        'VERSION',
      ]);
      const file = join(folder, 'wrong.yaml');
      await writeFile(
        file,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Not_A_Name }\n',
      );
      await expect(kubectl('apply', '-f', file)).rejects.toThrow(
        'a lowercase RFC 1123 subdomain must consist of',
      );
    });

    it('asks what it may do', async () => {
      expect(await kubectl('auth', 'can-i', 'delete', 'jobs')).toBe('yes\n');
    });

    it('drains a node and lets it work again', async () => {
      const node = await kubectl(
        'get',
        'nodes',
        '-o',
        'jsonpath={.items[0].metadata.name}',
      );
      expect(await kubectl('drain', node, '--ignore-daemonsets')).toContain(
        `node/${node} drained`,
      );
      expect(await kubectl('get', 'node', node)).toContain(
        'Ready,SchedulingDisabled',
      );
      await kubectl('uncordon', node);
    });

    it('applies on the server', async () => {
      const file = join(folder, 'map.yaml');
      await writeFile(
        file,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m }\ndata: { k: v }\n',
      );
      expect(await kubectl('apply', '--server-side', '-f', file)).toBe(
        'configmap/m serverside-applied\n',
      );
    });

    it('watches', async () => {
      const watching = spawn(
        'kubectl',
        [
          '-n',
          namespace.name,
          'get',
          'configmaps',
          '-l',
          'suite',
          '-w',
          '-o',
          'name',
        ],
        { env: environment() },
      );
      let seen = '';
      watching.stdout.on('data', data => {
        seen += data;
      });
      await namespace.map('first');
      await until('the first', () => seen.includes('configmap/first'));
      await namespace.map('second');
      await until('the second', () => seen.includes('configmap/second'));
      watching.kill();
      expect(seen.trim().split('\n')).toEqual([
        'configmap/first',
        'configmap/second',
      ]);
    });
  },
);
