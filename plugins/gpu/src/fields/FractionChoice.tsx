import { InputAdornment, makeStyles, TextField } from '@material-ui/core';
import { useState } from 'react';
import { useGpuText } from '../translations';
import { isCorePercent, isVramMiB } from './deviceValue';

/** What a person typed so far. */
export interface Fraction {
  corePercent?: number;
  vramMiB?: number;
}

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(2),
    marginTop: 8,
  },
  input: { width: 220 },
}));

/** A share of a GPU's cores and an amount of its memory, as numbers with units. */
export function FractionChoice(props: {
  id: string;
  value: Fraction;
  locked: boolean;
  onChange: (fraction: Fraction) => void;
}) {
  const classes = useStyles();
  const { t } = useGpuText();
  const { id, value, locked, onChange } = props;
  const [core, setCore] = useState(value.corePercent?.toString() ?? '');
  const [vram, setVram] = useState(
    value.vramMiB === undefined ? '' : String(value.vramMiB / 1_024),
  );
  const change = (nextCore: string, nextVram: string) => {
    setCore(nextCore);
    setVram(nextVram);
    onChange({
      corePercent: nextCore === '' ? undefined : Number(nextCore),
      vramMiB:
        nextVram === '' ? undefined : Math.round(Number(nextVram) * 1_024),
    });
  };
  const coreWrong = core !== '' && !isCorePercent(Number(core));
  const vramWrong = vram !== '' && !isVramMiB(value.vramMiB);
  return (
    <div className={classes.root}>
      <TextField
        id={`${id}-core`}
        type="number"
        label={t('field.core')}
        value={core}
        onChange={event => change(event.target.value, vram)}
        helperText={
          coreWrong
            ? t('field.coreInvalid', { value: core })
            : t('field.coreHelp')
        }
        error={coreWrong}
        disabled={locked}
        inputProps={{ min: 1, max: 100, step: 1 }}
        InputProps={{
          endAdornment: <InputAdornment position="end">%</InputAdornment>,
        }}
        variant="outlined"
        size="small"
        className={classes.input}
      />
      <TextField
        id={`${id}-vram`}
        type="number"
        label={t('field.vram')}
        value={vram}
        onChange={event => change(core, event.target.value)}
        helperText={
          vramWrong
            ? t('field.vramInvalid', { value: vram })
            : t('field.vramHelp')
        }
        error={vramWrong}
        disabled={locked}
        inputProps={{ min: 0, step: 'any' }}
        InputProps={{
          endAdornment: <InputAdornment position="end">GiB</InputAdornment>,
        }}
        variant="outlined"
        size="small"
        className={classes.input}
      />
    </div>
  );
}
