import { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { MenuItem, TextField } from '@material-ui/core';
import { useEffect, useState } from 'react';
import { queueNames, useMyQueues } from '../queues/useMyQueues';
import { useGpuText } from '../translations';
import { FieldFrame } from './FieldFrame';
import { isLocked } from './inputState';
import { formatQueue, parseQueue, QueueValue } from './queueValue';

/** Chooses a queue of the reader's teams; where none can be listed, it is typed. */
export function GpuQueuePicker(
  props: FieldExtensionComponentProps<QueueValue>,
) {
  const { t } = useGpuText();
  const { formData, onChange, required, rawErrors, schema, idSchema } = props;
  const id = idSchema?.$id ?? 'gpu-queue';
  const live = useMyQueues(30_000);
  const names = queueNames(live.value ?? []);
  const value = formatQueue(formData);
  const [text, setText] = useState(value);
  const locked = isLocked(props);
  const typed = live.error !== undefined || live.value?.length === 0;

  const choose = (next: string) => {
    setText(next);
    // what cannot be read stays in the form as typed, so that validation names it
    onChange(
      parseQueue(next) ?? ((next || undefined) as QueueValue | undefined),
    );
  };

  // the only possible answer need not be asked for
  useEffect(() => {
    if (names.length === 1 && !value && !locked) {
      const [{ namespace, queue }] = names;
      onChange({ namespace, queue });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live.value]);

  const help = [
    typed &&
      (live.error && !live.value
        ? t('field.queueFailed')
        : t('field.queueNone')),
    schema?.description ?? t('field.queueHelp'),
  ]
    .filter(Boolean)
    .join(' ');
  const common = {
    id,
    label: schema?.title ?? t('field.queueTitle'),
    required,
    disabled: locked,
    error: Boolean(rawErrors?.length),
    variant: 'outlined' as const,
    size: 'small' as const,
  };

  return (
    <FieldFrame id={id} help={help} errors={rawErrors} disabled={locked}>
      {typed ? (
        <TextField
          {...common}
          value={text}
          placeholder="namespace/queue"
          inputProps={{ 'aria-describedby': `${id}-help` }}
          onChange={event => choose(event.target.value)}
        />
      ) : (
        <TextField
          {...common}
          select
          value={value}
          SelectProps={{
            SelectDisplayProps: { 'aria-describedby': `${id}-help` },
          }}
          onChange={event => choose(event.target.value)}
        >
          {names.map(({ namespace, queue, clusters }) => (
            <MenuItem
              key={`${namespace}/${queue}`}
              value={`${namespace}/${queue}`}
            >
              {t('field.queueOption', {
                namespace,
                queue,
                clusters: clusters.join(', '),
              })}
            </MenuItem>
          ))}
          {value && !names.some(name => formatQueue(name) === value) && (
            <MenuItem value={value}>{value}</MenuItem>
          )}
        </TextField>
      )}
    </FieldFrame>
  );
}
