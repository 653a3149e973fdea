import { useApi } from '@backstage/core-plugin-api';
import { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import {
  FormControlLabel,
  Radio,
  RadioGroup,
  TextField,
  Typography,
} from '@material-ui/core';
import { useState } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { byClass } from '../devices/byClass';
import { useDevices } from '../devices/useDevices';
import { useLive } from '../live/useLive';
import { useGpuText } from '../translations';
import { DeviceClassChoice } from './DeviceClassChoice';
import { DeviceValue } from './deviceValue';
import { FieldFrame } from './FieldFrame';
import { FitPanel, useFit } from './FitPanel';
import { formValues, RelatedFields } from './formValues';
import { Fraction, FractionChoice } from './FractionChoice';
import { isLocked } from './inputState';

type Mode = 'class' | 'fraction';

/** Chooses a device class or a fraction of a GPU, and says whether it would fit. */
export function GpuDevicePicker(
  props: FieldExtensionComponentProps<DeviceValue, RelatedFields>,
) {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const { titleOf } = useDevices();
  const { formData, onChange, rawErrors, schema, uiSchema, idSchema } = props;
  const id = idSchema?.$id ?? 'gpu-device';
  const locked = isLocked(props);
  const value = (formData ?? {}) as {
    deviceClass?: string;
    fraction?: Fraction;
  };
  const [mode, setMode] = useState<Mode>(
    // a form library fills an object's defaults in as an empty fraction
    typeof value.fraction?.corePercent === 'number' ? 'fraction' : 'class',
  );

  const form = formValues(
    props.formContext?.formData,
    uiSchema?.['ui:options'],
  );
  const { queue, cluster } = form;
  const live = useLive(
    async () => {
      const { items } = await api.getDeviceClasses({ ...queue, cluster });
      return byClass(items);
    },
    [api, queue?.namespace, queue?.queue, cluster],
    10_000,
  );
  // the form's own state may lag one render behind this field's value
  const fit = useFit({
    ...form,
    device: formValues({ device: formData }).device,
  });

  const pickMode = (next: Mode) => {
    setMode(next);
    onChange(undefined);
  };
  const groups = live.value ?? [];
  const typed = live.value?.length === 0 || (live.error && !live.value);
  const matched = mode === 'fraction' && fit.value?.deviceClass;

  return (
    <>
      <FieldFrame
        id={id}
        label={schema?.title ?? t('field.deviceTitle')}
        help={schema?.description ?? t('field.deviceHelp')}
        errors={rawErrors}
        required={props.required}
        disabled={locked}
      >
        <RadioGroup
          row
          aria-label={t('field.mode')}
          name={`${id}-mode`}
          value={mode}
          onChange={(_, next) => pickMode(next as Mode)}
        >
          {(['class', 'fraction'] as const).map(each => (
            <FormControlLabel
              key={each}
              value={each}
              control={<Radio size="small" color="primary" />}
              disabled={locked}
              label={
                each === 'class' ? t('field.byClass') : t('field.byFraction')
              }
            />
          ))}
        </RadioGroup>

        {mode === 'fraction' && (
          <FractionChoice
            id={id}
            value={value.fraction ?? {}}
            locked={locked}
            onChange={fraction => onChange({ fraction } as DeviceValue)}
          />
        )}
        {matched && (
          <Typography variant="body2">
            {t('field.matched', { deviceClass: titleOf(matched) })}
          </Typography>
        )}
        {mode === 'class' && typed && (
          <TextField
            id={`${id}-class-id`}
            label={t('field.classId')}
            value={value.deviceClass ?? ''}
            helperText={
              live.error ? t('field.deviceFailed') : t('field.deviceNone')
            }
            onChange={event =>
              onChange(
                event.target.value
                  ? { deviceClass: event.target.value }
                  : undefined,
              )
            }
            disabled={locked}
            variant="outlined"
            size="small"
          />
        )}
        {mode === 'class' && !typed && (
          <DeviceClassChoice
            id={id}
            groups={groups}
            value={value.deviceClass ?? ''}
            locked={locked}
            onChange={deviceClass => onChange({ deviceClass })}
          />
        )}
      </FieldFrame>
      <FitPanel live={fit} />
    </>
  );
}
