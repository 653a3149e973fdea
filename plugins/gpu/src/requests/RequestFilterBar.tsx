import { makeStyles, MenuItem, TextField } from '@material-ui/core';
import { useGpuText } from '../translations';
import { RequestFilters } from './useRequestFilters';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(2),
    marginBottom: theme.spacing(2),
  },
  field: { minWidth: 160 },
}));

/** Whose requests, in which state, of which team. */
export function RequestFilterBar(props: {
  filters: RequestFilters;
  teams: string[];
  onChange: (change: Partial<RequestFilters>) => void;
}) {
  const classes = useStyles();
  const { t } = useGpuText();
  const { filters, onChange } = props;
  const choice = (
    id: string,
    label: string,
    value: string,
    options: Array<[value: string, label: string]>,
    onPick: (value: string) => void,
  ) => (
    <TextField
      select
      id={`gpu-requests-${id}`}
      label={label}
      value={value}
      size="small"
      variant="outlined"
      className={classes.field}
      onChange={event => onPick(event.target.value)}
    >
      {options.map(([option, text]) => (
        <MenuItem key={option} value={option}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
  const teams = [...new Set([...props.teams, filters.team ?? ''])]
    .filter(Boolean)
    .sort();
  return (
    <div className={classes.root} role="search">
      {choice(
        'scope',
        t('requests.scope'),
        filters.scope,
        [
          ['mine', t('requests.mine')],
          ['all', t('requests.all')],
        ],
        scope => onChange({ scope: scope as RequestFilters['scope'] }),
      )}
      {choice(
        'show',
        t('requests.show'),
        filters.show,
        [
          ['every', t('requests.everyState')],
          ['waiting', t('requests.waiting')],
          ['active', t('requests.active')],
          ['ended', t('requests.ended')],
        ],
        show => onChange({ show: show as RequestFilters['show'] }),
      )}
      {teams.length > 1 &&
        choice(
          'team',
          t('requests.team'),
          filters.team ?? 'every',
          [
            ['every', t('requests.everyTeam')],
            ...teams.map((team): [string, string] => [
              team,
              team.split('/').pop()!,
            ]),
          ],
          team => onChange({ team: team === 'every' ? undefined : team }),
        )}
    </div>
  );
}
