import { ClusterState } from '@gpuaas/backstage-plugin-gpu-common';
import { Mark } from '../show/Mark';
import { Tone } from '../show/tone';
import { useGpuText } from '../translations';

const TONES: Record<ClusterState, Tone> = {
  connected: 'good',
  connecting: 'busy',
  unreachable: 'bad',
  'no-kueue': 'waiting',
};

/** Whether a cluster can be read, in words and colour. */
export function ClusterStateMark({ state }: { state: ClusterState }) {
  const { t } = useGpuText();
  return <Mark tone={TONES[state]}>{t(`clusters.states.${state}`)}</Mark>;
}
