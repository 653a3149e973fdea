/* eslint-disable @typescript-eslint/no-explicit-any */
import type { KubernetesObject } from '../apiserver/objectStore';
import { conditionOf } from './podState';

interface Taint {
  key: string;
  value?: string;
  effect: string;
}

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) {
    return false;
  }
  if (toleration.operator === 'Exists') {
    return !toleration.key || toleration.key === taint.key;
  }
  return (
    toleration.key === taint.key &&
    (toleration.value ?? '') === (taint.value ?? '')
  );
}

function expressionHolds(
  values: Record<string, string>,
  { key, operator, values: wanted = [] }: any,
): boolean {
  const found = values[key];
  switch (operator) {
    case 'In':
      return wanted.includes(found);
    case 'NotIn':
      return !wanted.includes(found);
    case 'Exists':
      return found !== undefined;
    case 'DoesNotExist':
      return found === undefined;
    case 'Gt':
      return Number(found) > Number(wanted[0]);
    case 'Lt':
      return Number(found) < Number(wanted[0]);
    default:
      return false;
  }
}

function affinityHolds(pod: KubernetesObject, node: KubernetesObject): boolean {
  const labels = node.metadata.labels ?? {};
  const selector: Record<string, string> = pod.spec.nodeSelector ?? {};
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value)) {
    return false;
  }
  const terms =
    pod.spec.affinity?.nodeAffinity
      ?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!terms) {
    return true;
  }
  const fields = { 'metadata.name': node.metadata.name };
  return terms.some(
    ({ matchExpressions = [], matchFields = [] }: any) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((one: any) => expressionHolds(labels, one)) &&
      matchFields.every((one: any) => expressionHolds(fields, one)),
  );
}

function taintsOf(node: KubernetesObject): Taint[] {
  const taints: Taint[] = [...(node.spec?.taints ?? [])];
  if (conditionOf(node, 'Ready')?.status !== 'True') {
    taints.push({ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' });
  }
  return taints;
}

const drained: Taint = {
  key: 'node.kubernetes.io/unschedulable',
  effect: 'NoSchedule',
};

/**
 * Why a pod may not run on a node, resources aside, in the words of
 * kube-scheduler's plugins; undefined when it may.
 */
export function refusalOf(
  pod: KubernetesObject,
  node: KubernetesObject,
): string | undefined {
  const tolerations: Toleration[] = pod.spec.tolerations ?? [];
  const untolerated = (taint: Taint) =>
    !tolerations.some(toleration => tolerates(toleration, taint));
  if (node.spec?.unschedulable && untolerated(drained)) {
    return 'node(s) were unschedulable';
  }
  const taint = taintsOf(node).find(
    one => ['NoSchedule', 'NoExecute'].includes(one.effect) && untolerated(one),
  );
  if (taint) {
    return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  }
  return affinityHolds(pod, node)
    ? undefined
    : "node(s) didn't match Pod's node affinity/selector";
}
