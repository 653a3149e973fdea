import {
  isResourcePermission,
  Permission,
} from '@backstage/plugin-permission-common';
import { gpuPermissions } from '@gpuaas/backstage-plugin-gpu-common';
import {
  gpuQueueRules,
  gpuRequestRules,
  gpuWorkloadRules,
} from '@gpuaas/backstage-plugin-gpu-node';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const docs = resolve(__dirname, '../../../../docs');
const guide = readFileSync(resolve(docs, 'rbac.md'), 'utf8');
const read = (file: string) =>
  readFileSync(resolve(docs, 'rbac', file), 'utf8');

const byName = new Map<string, Permission>(
  gpuPermissions.map(permission => [permission.name, permission]),
);
const rules: Record<string, Array<{ name: string; paramsSchema?: any }>> = {
  'gpu-queue': Object.values(gpuQueueRules),
  'gpu-workload': Object.values(gpuWorkloadRules),
  'gpu-request': Object.values(gpuRequestRules),
};

function checkCondition(condition: any): void {
  const parts = condition.anyOf ?? condition.allOf;
  if (parts) {
    parts.forEach(checkCondition);
    return;
  }
  const rule = rules[condition.resourceType].find(
    ({ name }) => name === condition.rule,
  );
  expect(rule).toBeDefined();
  const accepted = rule?.paramsSchema
    ? rule.paramsSchema.safeParse(condition.params).success
    : condition.params === undefined;
  expect(accepted).toBe(true);
}

function checkPolicy(policy: any): void {
  expect(policy).toMatchObject({ result: 'CONDITIONAL', pluginId: 'gpu' });
  for (const action of policy.permissionMapping) {
    const matching = gpuPermissions.filter(
      permission =>
        isResourcePermission(permission, policy.resourceType) &&
        permission.attributes.action === action,
    );
    expect(matching).toHaveLength(1);
  }
  checkCondition(policy.conditions);
}

describe('docs/rbac', () => {
  it('names in its table every permission as it is', () => {
    const table = [
      ...guide.matchAll(/^\| `(gpu\.[^`]+)` +\| (\w+) +\| (?:`([^`]+)`|–)/gm),
    ].map(([, name, action, type]) => ({ name, action, type }));
    expect(table).toEqual(
      gpuPermissions.map(permission => ({
        name: permission.name,
        action: permission.attributes.action,
        type: isResourcePermission(permission)
          ? permission.resourceType
          : undefined,
      })),
    );
  });

  it('names every rule', () => {
    const named = [...guide.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, n]) => n);
    const existing = Object.values(rules).flatMap(list =>
      list.map(({ name }) => name),
    );
    expect(new Set(named)).toEqual(new Set(existing));
  });

  it('has a CSV of permissions that exist, with their actions', () => {
    const lines = read('gpu-policies.csv').trim().split('\n');
    const rows = lines.map(line => line.split(/,\s*/));
    const policies = rows.filter(([kind]) => kind === 'p');
    const members = rows.filter(([kind]) => kind === 'g');
    expect(policies.length + members.length).toBe(rows.length);
    for (const [, , name, action, effect] of policies) {
      expect([name, byName.get(name)?.attributes.action, effect]).toEqual([
        name,
        action,
        'allow',
      ]);
    }
    const roles = policies.map(([, role]) => role);
    members.forEach(([, , role]) => expect(roles).toContain(role));
    const granted = lines.map(line => line.split(/,\s*/)[2]);
    expect(granted).toEqual(expect.arrayContaining([...byName.keys()]));
  });

  it('has conditions that RBAC and our rules accept', () => {
    const policies = parseAllDocuments(
      read('gpu-conditional-policies.yaml'),
    ).map(document => document.toJS());
    expect(policies.map(policy => policy.resourceType)).toEqual([
      'gpu-queue',
      'gpu-workload',
      'gpu-request',
    ]);
    policies.forEach(checkPolicy);
    const inGuide = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, text]) => parse(text))
      .filter(document => document.result === 'CONDITIONAL');
    expect(inGuide).toHaveLength(1);
    inGuide.forEach(checkPolicy);
  });

  it('gives each resource type one permission an action, as older RBAC needs', () => {
    const keys = gpuPermissions
      .filter(permission => isResourcePermission(permission))
      .map(
        permission =>
          `${(permission as any).resourceType} ${permission.attributes.action}`,
      );
    expect(new Set(keys).size).toBe(keys.length);
  });
});
