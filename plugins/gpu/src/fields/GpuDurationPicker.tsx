import { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { InputAdornment, makeStyles, TextField } from '@material-ui/core';
import { useState } from 'react';
import { useGpuText } from '../translations';
import { DurationValue, isDuration, readDuration } from './durationValue';
import { FieldFrame } from './FieldFrame';
import { isLocked } from './inputState';

const useStyles = makeStyles(theme => ({
  root: { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) },
  input: { width: 140 },
}));

/** Hours and minutes on one line; both empty means no limit. */
export function GpuDurationPicker(
  props: FieldExtensionComponentProps<DurationValue>,
) {
  const classes = useStyles();
  const { t } = useGpuText();
  const { formData, onChange, rawErrors, schema, idSchema } = props;
  const id = idSchema?.$id ?? 'gpu-duration';
  const locked = isLocked(props);
  const [typed, setTyped] = useState(() => readDuration(formData));
  const errors = [...(rawErrors ?? [])];
  if (!isDuration(formData)) {
    errors.push(
      t('field.durationInvalid', { value: JSON.stringify(formData) }),
    );
  }
  const change = (next: typeof typed) => {
    setTyped(next);
    const number = (text: string) => (text === '' ? undefined : Number(text));
    const hours = number(next.hours);
    const minutes = number(next.minutes);
    onChange(
      hours === undefined && minutes === undefined
        ? undefined
        : {
            ...(hours !== undefined && { hours }),
            ...(minutes !== undefined && { minutes }),
          },
    );
  };
  return (
    <FieldFrame
      id={id}
      label={schema?.title ?? t('field.durationTitle')}
      help={schema?.description ?? t('field.durationHelp')}
      errors={errors}
      required={props.required}
      disabled={locked}
    >
      <div className={classes.root}>
        {(['hours', 'minutes'] as const).map(unit => (
          <TextField
            key={unit}
            id={`${id}-${unit}`}
            type="number"
            label={t(`field.${unit}`)}
            value={typed[unit]}
            onChange={event => change({ ...typed, [unit]: event.target.value })}
            error={errors.length > 0}
            disabled={locked}
            inputProps={{ min: 0, step: 1, 'aria-describedby': `${id}-help` }}
            InputProps={{
              endAdornment: (
                <InputAdornment position="end">
                  {unit === 'hours' ? 'h' : 'min'}
                </InputAdornment>
              ),
            }}
            variant="outlined"
            size="small"
            className={classes.input}
          />
        ))}
      </div>
    </FieldFrame>
  );
}
