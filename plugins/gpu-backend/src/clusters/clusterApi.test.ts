import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { KubeConfigClusterApi } from './clusterApi';
import { kubeConfigOf } from './kubeConfig';

describe('KubeConfigClusterApi', () => {
  let server: Server;
  let api: KubeConfigClusterApi;
  let answer: { status: number; body: string } | undefined;
  let asked: { url?: string; authorization?: string };

  beforeEach(async () => {
    server = createServer((request, response) => {
      asked = {
        url: request.url,
        authorization: request.headers.authorization,
      };
      if (answer) {
        response.writeHead(answer.status).end(answer.body);
      }
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    api = new KubeConfigClusterApi(
      kubeConfigOf({
        name: 'a',
        title: 'A',
        role: 'spoke',
        connection: {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          serviceAccountToken: 'secret',
          skipTlsVerify: false,
        },
      }),
    );
  });

  afterEach(
    () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );

  it('sends the token and the query, and reads JSON', async () => {
    answer = { status: 200, body: '{"gitVersion":"v1.36.3"}' };
    expect(
      await api.get('/version', { query: { limit: 5, continue: undefined } }),
    ).toEqual({ gitVersion: 'v1.36.3' });
    expect(asked).toEqual({
      url: '/version?limit=5',
      authorization: 'Bearer secret',
    });
  });

  it.each([
    [
      401,
      '{"kind":"Status","message":"Unauthorized"}',
      /^401 Unauthorized \(GET \/version\)$/,
    ],
    [
      502,
      '<html>bad gateway</html>',
      /^502 <html>bad gateway<\/html> \(GET \/version\)$/,
    ],
    [200, 'not json', /JSON.*\(GET \/version\)/],
    [200, 'null', /not a JSON object \(GET \/version\)/],
    [200, '["v1"]', /not a JSON object \(GET \/version\)/],
    [200, '42', /not a JSON object \(GET \/version\)/],
    [503, 'a\u0000b\u001b[31m', /^503 a b \[31m \(GET \/version\)$/],
  ])('takes %d %s as an error', async (status, body, message) => {
    answer = { status, body };
    await expect(api.get('/version')).rejects.toMatchObject({
      name: 'ClusterApiError',
      message: expect.stringMatching(message),
    });
  });

  it('reads no answer without end', async () => {
    server.removeAllListeners('request');
    server.on('request', (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const small = new KubeConfigClusterApi(
      kubeConfigOf({
        name: 'a',
        title: 'A',
        role: 'spoke',
        connection: {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          serviceAccountToken: 'secret',
          skipTlsVerify: false,
        },
      }),
      1_000_000,
    );
    await expect(small.get('/version')).rejects.toMatchObject({
      name: 'ClusterApiError',
      message: 'The answer is larger than 1000000 bytes (GET /version)',
    });
  });

  it('does not wait longer than told', async () => {
    answer = undefined;
    await expect(api.get('/version', { timeoutMillis: 50 })).rejects.toThrow(
      'No answer within 0.05 s (GET /version)',
    );
  });

  it('says when nobody listens', async () => {
    const { port } = server.address() as AddressInfo;
    const nobody = new KubeConfigClusterApi(
      kubeConfigOf({
        name: 'b',
        title: 'B',
        role: 'spoke',
        connection: {
          url: `http://127.0.0.1:${port}`,
          serviceAccountToken: 'x',
          skipTlsVerify: false,
        },
      }),
    );
    await new Promise<void>(resolve => {
      server.close(() => resolve());
    });
    await expect(nobody.get('/version')).rejects.toThrow('ECONNREFUSED');
    server.listen(0, '127.0.0.1');
  });
});
