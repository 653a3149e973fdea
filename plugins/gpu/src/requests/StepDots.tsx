import { RequestStep } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles } from '@material-ui/core';
import { useGpuText } from '../translations';

const useStyles = makeStyles(theme => ({
  root: { display: 'inline-flex', gap: 3, verticalAlign: 'middle' },
  todo: {
    width: 14,
    height: 6,
    borderRadius: 3,
    backgroundColor: theme.palette.action.disabledBackground,
  },
  done: {
    width: 14,
    height: 6,
    borderRadius: 3,
    backgroundColor: theme.palette.info.main,
  },
}));

/** The eight steps as a strip, with the last one done as its name. */
export function StepDots({ steps }: { steps: RequestStep[] }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const last = steps.map(step => Boolean(step.at)).lastIndexOf(true);
  const label =
    last < 0
      ? t('requests.stepNone', { total: String(steps.length) })
      : t('requests.stepOf', {
          step: String(last + 1),
          total: String(steps.length),
          name: t(`step.${steps[last].name}`),
        });
  return (
    <span className={classes.root} role="img" aria-label={label} title={label}>
      {steps.map(step => (
        <span
          key={step.name}
          className={step.at ? classes.done : classes.todo}
        />
      ))}
    </span>
  );
}
