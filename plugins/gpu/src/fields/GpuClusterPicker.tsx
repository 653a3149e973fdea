import { useApi } from '@backstage/core-plugin-api';
import { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { MenuItem, TextField } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { useLive } from '../live/useLive';
import { Age } from '../show/Age';
import { useGpuText } from '../translations';
import { BEST_FIT, clustersOf } from './clusterValue';
import { FieldFrame } from './FieldFrame';
import { formValues, RelatedFields } from './formValues';
import { isLocked } from './inputState';

/** Chooses best fit or one of the clusters that have the chosen queue; where they cannot be listed, it is typed. */
export function GpuClusterPicker(
  props: FieldExtensionComponentProps<string, RelatedFields>,
) {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const { formData, onChange, required, rawErrors, schema, idSchema } = props;
  const id = idSchema?.$id ?? 'gpu-cluster';
  const locked = isLocked(props);
  const { queue } = formValues(
    props.formContext?.formData,
    props.uiSchema?.['ui:options'],
  );
  const live = useLive(
    async () => (queue ? clustersOf(api, queue) : undefined),
    [api, queue?.namespace, queue?.queue],
    10_000,
  );
  const offered = (!live.loading && live.value) || [];
  const value = formData || BEST_FIT;
  const known =
    value === BEST_FIT || offered.some(({ cluster }) => cluster === value);
  const errors = [...(rawErrors ?? [])];
  if (!known && !live.loading && live.value) {
    errors.push(
      t('field.clusterWithoutQueue', {
        value,
        offered: [BEST_FIT, ...offered.map(({ cluster }) => cluster)].join(
          ', ',
        ),
      }),
    );
  }
  const typed = live.error !== undefined && !live.value;
  const common = {
    id,
    label: schema?.title ?? t('field.clusterTitle'),
    value,
    required,
    disabled: locked,
    error: errors.length > 0,
    variant: 'outlined' as const,
    size: 'small' as const,
  };
  const help = typed
    ? t('field.clusterFailed')
    : schema?.description ?? t('field.clusterHelp');
  return (
    <FieldFrame
      id={id}
      errors={errors}
      disabled={locked}
      help={queue ? help : t('field.clusterNeedsQueue')}
    >
      {typed ? (
        <TextField
          {...common}
          value={formData ?? ''}
          placeholder={BEST_FIT}
          InputLabelProps={{ shrink: true }}
          inputProps={{ 'aria-describedby': `${id}-help` }}
          onChange={event => onChange(event.target.value || undefined)}
        />
      ) : (
        <TextField
          {...common}
          select
          SelectProps={{
            SelectDisplayProps: { 'aria-describedby': `${id}-help` },
          }}
          onChange={event => onChange(event.target.value)}
        >
          <MenuItem value={BEST_FIT}>{t('field.bestFit')}</MenuItem>
          {offered.map(({ cluster, freshAt, unreachable }) => (
            <MenuItem key={cluster} value={cluster}>
              <span>
                {cluster} ·{' '}
                {t(unreachable ? 'field.clusterStale' : 'field.clusterFresh')}{' '}
                <Age at={freshAt} />
              </span>
            </MenuItem>
          ))}
          {!known && <MenuItem value={value}>{value}</MenuItem>}
        </TextField>
      )}
    </FieldFrame>
  );
}
