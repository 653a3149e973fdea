import {
  FormControl,
  FormHelperText,
  FormLabel,
  makeStyles,
} from '@material-ui/core';
import { ReactNode } from 'react';

const useStyles = makeStyles(theme => ({
  label: { marginBottom: theme.spacing(1) },
  help: { marginLeft: 0 },
}));

/** What every field has around its input: label, help and errors, tied together for screen readers. */
export function FieldFrame(props: {
  id: string;
  label?: string;
  help?: ReactNode;
  errors?: string[];
  required?: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  const classes = useStyles();
  const errors = [...new Set(props.errors ?? [])];
  return (
    <FormControl
      fullWidth
      component={props.label ? 'fieldset' : 'div'}
      margin="normal"
      error={errors.length > 0}
      required={props.required}
      disabled={props.disabled}
      aria-describedby={`${props.id}-help`}
    >
      {props.label && (
        <FormLabel component="legend" className={classes.label}>
          {props.label}
        </FormLabel>
      )}
      {props.children}
      <FormHelperText
        id={`${props.id}-help`}
        className={classes.help}
        component="div"
      >
        {errors.map(error => (
          <div key={error}>{error}</div>
        ))}
        {props.help}
      </FormHelperText>
    </FormControl>
  );
}
