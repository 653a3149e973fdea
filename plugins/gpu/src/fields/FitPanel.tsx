import { useApi } from '@backstage/core-plugin-api';
import { FitAnswer } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Paper, Theme, Typography } from '@material-ui/core';
import { useEffect, useState } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { useDevices } from '../devices/useDevices';
import { wordsOf } from '../live/failure';
import { Live, useLive } from '../live/useLive';
import { formatGpus } from '../show/gpuAmounts';
import { Mark } from '../show/Mark';
import { Tone, toneColour } from '../show/tone';
import { useGpuText } from '../translations';
import { FormValues } from './formValues';

const TONES: Record<FitAnswer['verdict'], Tone> = {
  now: 'good',
  later: 'waiting',
  never: 'bad',
};

const useStyles = makeStyles<Theme, { tone: Tone }>(theme => ({
  root: {
    padding: theme.spacing(1.5, 2),
    marginTop: theme.spacing(2),
    borderLeft: ({ tone }) => `4px solid ${toneColour(theme, tone)}`,
  },
}));

/** The value as it was when it had not changed for `ms` milliseconds. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/**
 * Asks whether what the form says would run: again at every change, and every
 * 10 s while it stands. `undefined` while queue or device are not chosen.
 */
export function useFit(values: FormValues): Live<FitAnswer | undefined> {
  const api = useApi(gpuApiRef);
  const { queue, device, count, pods, priority, cluster } = values;
  const question = useSettled(
    queue && device
      ? JSON.stringify({
          ...queue,
          ...device,
          count,
          pods,
          priorityClass: priority,
          cluster,
        })
      : '',
    400,
  );
  return useLive(
    async () => (question ? api.getFit(JSON.parse(question)) : undefined),
    [api, question],
    10_000,
  );
}

function FitFacts({ answer }: { answer: FitAnswer }) {
  const { t } = useGpuText();
  const { titleOf } = useDevices();
  const { before, after } = answer;
  return (
    <>
      <Typography variant="body2">{answer.sentence}</Typography>
      <Typography variant="caption" component="p" color="textSecondary">
        {answer.deviceClass && `${titleOf(answer.deviceClass)}. `}
        {answer.cluster &&
          answer.physicalNano !== undefined &&
          answer.poolShare !== undefined &&
          `${t('field.fitFacts', {
            count: answer.units,
            physical: formatGpus(answer.physicalNano),
            share: String(Math.round(answer.poolShare * 1_000) / 10),
            cluster: answer.cluster,
          })}. `}
        {before &&
          after &&
          `${t('field.fitQuota', {
            before: String(before.used),
            after: String(after.used),
            nominal: String(before.nominal),
          })}. `}
        {answer.borrows > 0 &&
          `${t('field.fitBorrows', { units: String(answer.borrows) })}.`}
      </Typography>
    </>
  );
}

/** Will it fit: now, later or never, and why; before anything is submitted. */
export function FitPanel({ live }: { live: Live<FitAnswer | undefined> }) {
  const { t } = useGpuText();
  const { value: answer, error } = live;
  const classes = useStyles({ tone: answer ? TONES[answer.verdict] : 'quiet' });
  return (
    <Paper
      variant="outlined"
      className={classes.root}
      role="status"
      aria-label={t('field.fitTitle')}
      aria-busy={live.loading}
    >
      <Typography variant="caption" color="textSecondary">
        {t('field.fitTitle')}
      </Typography>
      {error && !answer && (
        <Typography variant="body2">
          {t('field.fitFailed')} {wordsOf(error)}
        </Typography>
      )}
      {!error && !answer && (
        <Typography variant="body2" color="textSecondary">
          {t('field.fitNeeds')}
        </Typography>
      )}
      {answer && (
        <>
          <div>
            <Mark tone={TONES[answer.verdict]}>
              {t(`field.verdict.${answer.verdict}`)}
            </Mark>
          </div>
          <FitFacts answer={answer} />
        </>
      )}
    </Paper>
  );
}
