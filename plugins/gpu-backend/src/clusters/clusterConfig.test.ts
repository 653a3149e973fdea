import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { readClusterConfigs } from './clusterConfig';
import { kubeConfigOf } from './kubeConfig';

const KUBERNETES = {
  clusterLocatorMethods: [
    { type: 'catalog' },
    {
      type: 'config',
      clusters: [
        {
          name: 'hub',
          title: 'The hub',
          url: 'https://hub.example.com:6443/',
          authProvider: 'serviceAccount',
          serviceAccountToken: 'token-hub',
          caData: 'Q0E=',
        },
        {
          name: 'spoke-a',
          url: 'http://localhost:7411',
          authProvider: 'serviceAccount',
          serviceAccountToken: 'token-a',
          skipTLSVerify: true,
        },
        { name: 'other', url: 'nonsense', authProvider: 'google' },
      ],
    },
  ],
};

function read(gpu: JsonObject, kubernetes: JsonObject = KUBERNETES) {
  return readClusterConfigs(new ConfigReader({ gpu, kubernetes }));
}

describe('readClusterConfigs', () => {
  it('joins what the two places say of the clusters under gpu.clusters, and ignores the others', () => {
    expect(
      read({
        clusters: {
          hub: { role: 'hub' },
          'spoke-a': {
            role: 'spoke',
            title: 'Spoke A',
            gitops: {
              repoUrl: 'localhost:7420?owner=platform&repo=gpu-fleet',
              application: { cluster: 'hub', namespace: 'argocd' },
            },
            prometheus: { url: 'http://localhost:7431', bearerToken: 'p' },
          },
        },
      }),
    ).toEqual([
      {
        name: 'hub',
        title: 'The hub',
        role: 'hub',
        connection: {
          url: 'https://hub.example.com:6443',
          serviceAccountToken: 'token-hub',
          skipTlsVerify: false,
          caData: 'Q0E=',
        },
      },
      {
        name: 'spoke-a',
        title: 'Spoke A',
        role: 'spoke',
        connection: {
          url: 'http://localhost:7411',
          serviceAccountToken: 'token-a',
          skipTlsVerify: true,
        },
        gitops: {
          repoUrl: 'localhost:7420?owner=platform&repo=gpu-fleet',
          branch: 'main',
          path: 'clusters/spoke-a',
          application: { cluster: 'hub', namespace: 'argocd' },
        },
        prometheus: {
          url: 'http://localhost:7431',
          bearerToken: 'p',
        },
      },
    ]);
  });

  const gitops = (values: JsonObject) => ({
    clusters: { hub: { role: 'hub', gitops: values } },
  });
  const repoUrl = 'github.com?owner=platform&repo=gpu-fleet';

  it.each<[string, JsonObject, string]>([
    ['no clusters', {}, 'gpu.clusters is missing or empty'],
    ['empty clusters', { clusters: {} }, 'gpu.clusters is missing or empty'],
    [
      'nothing under a cluster',
      { clusters: { hub: null } },
      'gpu.clusters is missing or empty',
    ],
    [
      'text instead of an object',
      { clusters: { hub: 'hub' } },
      'gpu.clusters.hub: "hub" is not accepted',
    ],
    [
      'a role that is none',
      { clusters: { hub: { role: 'worker' } } },
      'gpu.clusters.hub.role: "worker" is not accepted; accepted: "hub" or "spoke"',
    ],
    [
      'no role',
      { clusters: { hub: {} } },
      'gpu.clusters.hub.role is missing; accepted: "hub" or "spoke"',
    ],
    [
      'a cluster nobody located',
      { clusters: { 'spoke-z': { role: 'spoke' } } },
      'gpu.clusters.spoke-z: "spoke-z" is not accepted; accepted: the name of a cluster under kubernetes.clusterLocatorMethods of type "config" (found: hub, spoke-a, other)',
    ],
    [
      'a name that is no name',
      { clusters: { 'Spoke A': { role: 'spoke' } } },
      'gpu.clusters.Spoke A',
    ],
    [
      'a misspelt key',
      { clusters: { hub: { role: 'hub', gitOps: {} } } },
      'gpu.clusters.hub.gitOps is not a known key; accepted: role, title, gitops, prometheus',
    ],
    [
      'another authProvider',
      { clusters: { other: { role: 'spoke' } } },
      'kubernetes.clusterLocatorMethods[1].clusters[2].authProvider: "google" is not accepted; accepted: "serviceAccount"',
    ],
    [
      'a repository address of another form',
      gitops({ repoUrl: 'https://github.com/platform/gpu-fleet' }),
      'gpu.clusters.hub.gitops.repoUrl: "https://github.com/platform/gpu-fleet" is not accepted; accepted: "<host>?owner=<owner>&repo=<repository>"',
    ],
    [
      'a path that leaves the repository',
      gitops({ repoUrl, path: 'clusters/../x' }),
      'gpu.clusters.hub.gitops.path: "clusters/../x"',
    ],
    [
      'a path with a leading slash',
      gitops({ repoUrl, path: '/clusters' }),
      'gpu.clusters.hub.gitops.path: "/clusters"',
    ],
    [
      'a branch that is an option',
      gitops({ repoUrl, branch: '--force' }),
      'gpu.clusters.hub.gitops.branch: "--force"',
    ],
    [
      'an application of an unknown cluster',
      gitops({ repoUrl, application: { cluster: 'x', namespace: 'argocd' } }),
      'gpu.clusters.hub.gitops.application.cluster: "x" is not accepted; accepted: one of gpu.clusters: hub',
    ],
    [
      'an application without a namespace',
      gitops({ repoUrl, application: { cluster: 'hub' } }),
      'gpu.clusters.hub.gitops.application.namespace is missing',
    ],
    [
      'a Prometheus address with credentials, which are not repeated',
      {
        clusters: {
          hub: { role: 'hub', prometheus: { url: 'http://me:pw@prom' } },
        },
      },
      'gpu.clusters.hub.prometheus.url: "http://…@prom" is not accepted',
    ],
  ])('refuses %s', (_, gpu, message) => {
    expect(() => read(gpu)).toThrow(message);
    expect(() => read(gpu)).not.toThrow('pw');
  });

  it('refuses a located cluster that cannot be reached as written', () => {
    const located = (entry: JsonObject) => () =>
      read(
        { clusters: { a: { role: 'spoke' } } },
        {
          clusterLocatorMethods: [
            {
              type: 'config',
              clusters: [
                { name: 'a', authProvider: 'serviceAccount', ...entry },
              ],
            },
          ],
        },
      );
    expect(located({ url: 'http://a' })).toThrow(
      'clusters[0].serviceAccountToken is missing',
    );
    expect(located({ serviceAccountToken: 't' })).toThrow(
      'clusters[0].url is missing',
    );
    expect(located({ serviceAccountToken: 't', url: 'ftp://a' })).toThrow(
      'clusters[0].url: "ftp://a" is not accepted',
    );
  });

  it('refuses a cluster that is located twice', () => {
    const twice = { name: 'hub', url: 'http://x' };
    expect(() =>
      read(
        { clusters: { hub: { role: 'hub' } } },
        {
          clusterLocatorMethods: [{ type: 'config', clusters: [twice, twice] }],
        },
      ),
    ).toThrow('clusters[1].name: "hub" is not accepted');
  });

  it('refuses one cluster under two names, which would be metered twice', () => {
    const cluster = (name: string) => ({
      name,
      url: 'https://x:6443/',
      authProvider: 'serviceAccount',
      serviceAccountToken: 't',
    });
    expect(() =>
      read(
        { clusters: { a: { role: 'hub' }, b: { role: 'spoke' } } },
        {
          clusterLocatorMethods: [
            { type: 'config', clusters: [cluster('a'), cluster('b')] },
          ],
        },
      ),
    ).toThrow(
      'gpu.clusters.b: "https://x:6443" is not accepted; accepted: a cluster followed once; a has this address already',
    );
  });

  it('gives client-node what it needs for plain HTTP', () => {
    const [spoke] = read({ clusters: { 'spoke-a': { role: 'spoke' } } });
    const kubeConfig = kubeConfigOf(spoke);
    expect(kubeConfig.getCurrentCluster()).toMatchObject({
      server: 'http://localhost:7411',
      skipTLSVerify: true,
    });
    expect(kubeConfig.getCurrentUser()).toMatchObject({ token: 'token-a' });
  });
});
