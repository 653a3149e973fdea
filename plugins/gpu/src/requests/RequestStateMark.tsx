import { RequestState } from '@gpuaas/backstage-plugin-gpu-common';
import { Mark } from '../show/Mark';
import { useGpuText } from '../translations';
import { toneOf } from './states';

/** A request's state in words and colour. */
export function RequestStateMark({ state }: { state: RequestState }) {
  const { t } = useGpuText();
  return <Mark tone={toneOf(state)}>{t(`state.${state}`)}</Mark>;
}
