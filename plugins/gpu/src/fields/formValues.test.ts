import { formValues } from './formValues';

describe('formValues', () => {
  it('reads what the form says so far', () => {
    expect(
      formValues({
        queue: { namespace: 'team-07', queue: 'gpu' },
        device: { deviceClass: 'nvidia-h100-80gb-hbm3' },
        count: 2,
        pods: 4,
        priority: 'low',
        cluster: 'spoke-a',
      }),
    ).toEqual({
      queue: { namespace: 'team-07', queue: 'gpu' },
      device: { deviceClass: 'nvidia-h100-80gb-hbm3' },
      count: 2,
      pods: 4,
      priority: 'low',
      cluster: 'spoke-a',
    });
  });

  it('takes nothing for granted that is missing or half typed', () => {
    const nothing = {
      queue: undefined,
      device: undefined,
      count: 1,
      pods: 1,
      priority: undefined,
      cluster: undefined,
    };
    expect(formValues(undefined)).toEqual(nothing);
    expect(
      formValues({
        queue: 'team',
        device: {},
        count: -1,
        pods: 1.5,
        priority: '',
        cluster: 'best-fit',
      }),
    ).toEqual(nothing);
  });

  it('reads other parameters where the template says so', () => {
    expect(
      formValues(
        { gpus: 3, target: 'spoke-b' },
        { countField: 'gpus', clusterField: 'target' },
      ),
    ).toMatchObject({ count: 3, cluster: 'spoke-b' });
  });
});
