import { useApi } from '@backstage/core-plugin-api';
import { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { MenuItem, TextField } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { useLive } from '../live/useLive';
import { useGpuText } from '../translations';
import { FieldFrame } from './FieldFrame';
import { formValues, RelatedFields } from './formValues';
import { isLocked } from './inputState';
import { commonPriorityClasses } from './priorityClasses';

/** Chooses one of the priorities the chosen queue may use; nothing means the queue's default. */
export function GpuPriorityPicker(
  props: FieldExtensionComponentProps<string, RelatedFields>,
) {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const { formData, onChange, required, rawErrors, schema, idSchema } = props;
  const id = idSchema?.$id ?? 'gpu-priority';
  const { queue, cluster } = formValues(
    props.formContext?.formData,
    props.uiSchema?.['ui:options'],
  );
  const live = useLive(
    async () => {
      if (!queue) {
        return undefined;
      }
      const { items } = await api.getQueues({
        namespace: queue.namespace,
        cluster,
        limit: 100,
      });
      return commonPriorityClasses(
        items.filter(({ name }) => name === queue.queue),
      );
    },
    [api, queue?.namespace, queue?.queue, cluster],
    60_000,
  );
  const offered = (!live.loading && live.value) || [];
  const value = formData ?? '';
  const known = value === '' || offered.some(({ name }) => name === value);
  const errors = [...(rawErrors ?? [])];
  if (!known && !live.loading && live.value) {
    errors.push(
      t('field.priorityNotAllowed', {
        value,
        allowed: offered.map(({ name }) => name).join(', ') || '–',
      }),
    );
  }
  const locked = isLocked(props);
  return (
    <FieldFrame
      id={id}
      errors={errors}
      disabled={locked}
      help={
        queue
          ? schema?.description ?? t('field.priorityHelp')
          : t('field.priorityNeedsQueue')
      }
    >
      <TextField
        select
        id={id}
        label={schema?.title ?? t('field.priorityTitle')}
        value={value}
        required={required}
        disabled={locked}
        error={errors.length > 0}
        onChange={event => onChange(event.target.value || undefined)}
        SelectProps={{
          displayEmpty: true,
          SelectDisplayProps: { 'aria-describedby': `${id}-help` },
        }}
        InputLabelProps={{ shrink: true }}
        variant="outlined"
        size="small"
      >
        <MenuItem value="">{t('field.priorityDefault')}</MenuItem>
        {offered.map(({ name, value: weight, description }) => (
          <MenuItem key={name} value={name}>
            {t('field.priorityOption', { name, value: String(weight) })}
            {description && ` · ${description}`}
          </MenuItem>
        ))}
        {!known && <MenuItem value={value}>{value}</MenuItem>}
      </TextField>
    </FieldFrame>
  );
}
