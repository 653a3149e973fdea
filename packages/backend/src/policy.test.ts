import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  catalogEntityDeletePermission,
  catalogEntityReadPermission,
} from '@backstage/plugin-catalog-common/alpha';
import { gpuPermissions } from '@gpuaas/backstage-plugin-gpu-common';
import { DevelopmentPolicy } from './policy';

const policy = new DevelopmentPolicy();

function member(name: string, ...groups: string[]) {
  const userEntityRef = `user:default/${name}`;
  return {
    info: { userEntityRef, ownershipEntityRefs: [userEntityRef, ...groups] },
  } as any;
}

const mira = member('mira', 'group:default/team-07');
const fiona = member('fiona', 'group:default/finops');
const pavel = member('pavel', 'group:default/platform');

async function decisions(user: any) {
  return Object.fromEntries(
    await Promise.all(
      gpuPermissions.map(async permission => [
        permission.name,
        (await policy.handle({ permission }, user)).result,
      ]),
    ),
  );
}

describe('who may see what in the development hub', () => {
  it('a team member sees what is the team’s, by conditions', async () => {
    expect(await decisions(mira)).toEqual({
      'gpu.cluster.read': 'ALLOW',
      'gpu.queue.read': 'CONDITIONAL',
      'gpu.queue.use': 'DENY',
      'gpu.workload.read': 'CONDITIONAL',
      'gpu.request.read': 'CONDITIONAL',
      'gpu.request.create': 'ALLOW',
    });
  });

  it('FinOps reads everything and submits to no other queue', async () => {
    const all = await decisions(fiona);
    expect(all['gpu.workload.read']).toBe('ALLOW');
    expect(all['gpu.queue.use']).toBe('DENY');
  });

  it('the platform team may do everything', async () => {
    expect(new Set(Object.values(await decisions(pavel)))).toEqual(
      new Set(['ALLOW']),
    );
  });

  it('nobody without a name may do anything', async () => {
    expect(new Set(Object.values(await decisions(undefined)))).toEqual(
      new Set(['DENY']),
    );
  });

  it('everybody reads the catalog, only the platform team edits it', async () => {
    const ask = async (permission: any, user: any) =>
      (await policy.handle({ permission }, user)).result;
    expect(await ask(catalogEntityReadPermission, mira)).toBe(
      AuthorizeResult.ALLOW,
    );
    expect(await ask(catalogEntityDeletePermission, mira)).toBe(
      AuthorizeResult.DENY,
    );
    expect(await ask(catalogEntityDeletePermission, pavel)).toBe(
      AuthorizeResult.ALLOW,
    );
  });
});
