import fc from 'fast-check';
import { parseResourceName } from './resourceName';

describe('parseResourceName', () => {
  it.each([
    ['nvidia.com/gpu', { vendor: 'nvidia', kind: 'device', shared: false }],
    ['nvidia.com/gpu.shared', { vendor: 'nvidia', shared: true }],
    ['nvidia.com/mig-1g.10gb', { partition: '1g.10gb', shared: false }],
    ['nvidia.com/mig-1g.10gb.me', { partition: '1g.10gb.me' }],
    ['nvidia.com/mig-1g.24gb.me.all', { partition: '1g.24gb.me.all' }],
    [
      'nvidia.com/mig-1g.10gb.shared',
      { partition: '1g.10gb', shared: true, kind: 'device' },
    ],
    ['nvidia.com/gpumem', { vendor: 'nvidia', kind: 'fraction' }],
    ['nvidia.com/gpucores', { kind: 'fraction' }],
    ['amd.com/gpu', { vendor: 'amd', kind: 'device' }],
    ['amd.com/cpx_nps4', { vendor: 'amd', partition: 'cpx_nps4' }],
    ['gpu.intel.com/i915', { vendor: 'intel', kind: 'device' }],
    ['gpu.intel.com/xe', { vendor: 'intel', kind: 'device' }],
    ['gpu.intel.com/xe_monitoring', { vendor: 'intel', kind: 'monitoring' }],
  ])('reads %s', (name, expected) => {
    expect(parseResourceName(name)).toMatchObject({ name, ...expected });
  });

  it.each([
    'cpu',
    'memory',
    '',
    '/',
    'nvidia.com/',
    'nvidia.com/mig-',
    'nvidia.com/mig-large',
    'nvidia.com/gpus',
    'amd.com/npx_cps4',
    'gpu.intel.com/card',
    'example.com/gpu',
  ])('says that %p is no GPU', name => {
    expect(parseResourceName(name)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        for (const prefix of ['', 'nvidia.com/', 'nvidia.com/mig-']) {
          expect(() => parseResourceName(`${prefix}${text}`)).not.toThrow();
        }
      }),
    );
  });
});
