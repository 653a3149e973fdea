import { gpuPermissions } from '@gpuaas/backstage-plugin-gpu-common';
import {
  createGpuRequestConditionalDecision,
  gpuQueueRules,
  gpuRequestConditions,
  gpuRequestRules,
  gpuWorkloadRules,
} from './rules';

const mine = {
  cluster: 'spoke-a',
  namespace: 'team-07',
  team: 'group:default/team-07',
  requester: 'user:default/mira',
};

describe('permission rules', () => {
  it.each([
    [['group:default/team-07'], true],
    [['group:default/team-08'], false],
    [[], false],
  ])('IS_TEAM_MEMBER %j → %s', (teams, expected) => {
    for (const rules of [gpuQueueRules, gpuWorkloadRules, gpuRequestRules]) {
      expect(rules.isTeamMember.apply(mine, { teams })).toBe(expected);
    }
  });

  it('gives what nobody owns to no team', () => {
    const { team, ...unowned } = mine;
    expect(
      gpuQueueRules.isTeamMember.apply(unowned, {
        teams: ['group:default/team-07'],
      }),
    ).toBe(false);
  });

  it('IS_REQUESTER asks for the same user', () => {
    expect(
      gpuRequestRules.isRequester.apply(mine, {
        requesters: ['user:default/mira'],
      }),
    ).toBe(true);
    expect(
      gpuRequestRules.isRequester.toQuery({ requesters: ['user:default/x'] }),
    ).toEqual({ column: 'requester', values: ['user:default/x'] });
  });

  it('makes conditional decisions a policy can return', () => {
    const permission = gpuPermissions.find(
      ({ name }) => name === 'gpu.request.read',
    )!;
    expect(
      createGpuRequestConditionalDecision(permission as any, {
        anyOf: [
          gpuRequestConditions.isRequester({
            requesters: ['user:default/mira'],
          }),
          gpuRequestConditions.any(),
        ],
      }),
    ).toMatchObject({
      result: 'CONDITIONAL',
      pluginId: 'gpu',
      resourceType: 'gpu-request',
    });
  });
});
