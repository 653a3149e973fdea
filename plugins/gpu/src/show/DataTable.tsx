import {
  IconButton,
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Theme,
  Typography,
  useMediaQuery,
} from '@material-ui/core';
import ExpandLess from '@material-ui/icons/ExpandLess';
import ExpandMore from '@material-ui/icons/ExpandMore';
import { Fragment, ReactNode, useState } from 'react';
import { useGpuText } from '../translations';

/** One column: what it is called and what it shows of a row. */
export interface Column<Row> {
  title: string;
  /** What the figures mean, shown when the title is pointed at. */
  hint?: string;
  numeric?: boolean;
  /** Long text may break; everything else stays on one line. */
  wrap?: boolean;
  /** Moves to a line below its row where the page is narrow. */
  secondary?: boolean;
  show: (row: Row) => ReactNode;
}

const useStyles = makeStyles(theme => ({
  head: {
    whiteSpace: 'nowrap',
    padding: theme.spacing(0.75, 1),
    color: theme.palette.text.secondary,
    fontWeight: theme.typography.fontWeightMedium as number,
  },
  hint: { textDecoration: 'underline dotted', cursor: 'help' },
  cell: {
    padding: theme.spacing(0.75, 1),
    whiteSpace: 'nowrap',
    verticalAlign: 'top',
    lineHeight: 1.43,
  },
  wrap: {
    padding: theme.spacing(0.75, 1),
    minWidth: 160,
    verticalAlign: 'top',
    lineHeight: 1.43,
    overflowWrap: 'anywhere',
  },
  numeric: { fontVariantNumeric: 'tabular-nums' },
  stackedCell: { padding: theme.spacing(0, 1, 1), whiteSpace: 'normal' },
  stacked: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0, 2),
    margin: 0,
  },
  pair: { display: 'flex', gap: theme.spacing(1), minWidth: 0 },
  value: { margin: 0, minWidth: 0, overflowWrap: 'anywhere' },
  opener: { width: 1, padding: theme.spacing(0, 0.5), verticalAlign: 'top' },
  parts: { padding: theme.spacing(1, 1, 2, 5) },
}));

function isNothing(shown: ReactNode): boolean {
  return shown === undefined || shown === null || shown === '' || !shown;
}

/** Secondary columns as names and values, below the row they belong to. */
function Stacked<Row>(props: { columns: Array<Column<Row>>; row: Row }) {
  const classes = useStyles();
  return (
    <dl className={classes.stacked}>
      {props.columns.map(column => {
        const shown = column.show(props.row);
        return (
          !isNothing(shown) && (
            <div key={column.title} className={classes.pair}>
              <Typography
                component="dt"
                variant="body2"
                color="textSecondary"
                title={column.hint}
              >
                {column.title}
              </Typography>
              <Typography
                component="dd"
                variant="body2"
                className={classes.value}
              >
                {shown}
              </Typography>
            </div>
          )
        );
      })}
    </dl>
  );
}

/**
 * A read-only table. Where the page is narrow its secondary columns move to a
 * line below each row. With `parts`, a row opens to what its figures are made of.
 */
export function DataTable<Row>(props: {
  label: string;
  columns: Array<Column<Row>>;
  rows: Row[];
  keyOf: (row: Row) => string;
  /** What a row is called where its parts are opened. */
  nameOf?: (row: Row) => string;
  parts?: (row: Row) => ReactNode;
}) {
  const classes = useStyles();
  const { t } = useGpuText();
  const narrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { rows, keyOf, parts } = props;
  const columns = props.columns.filter(column => !narrow || !column.secondary);
  const below = props.columns.filter(column => narrow && column.secondary);
  const toggle = (key: string) =>
    setOpen(current => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  return (
    <TableContainer>
      <Table size="small" aria-label={props.label}>
        <TableHead>
          <TableRow>
            {parts && <TableCell className={classes.opener} />}
            {columns.map(column => (
              <TableCell
                key={column.title}
                className={classes.head}
                align={column.numeric ? 'right' : 'left'}
                scope="col"
              >
                <span
                  title={column.hint}
                  className={column.hint && classes.hint}
                >
                  {column.title}
                </span>
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(row => {
            const key = keyOf(row);
            const isOpen = open.has(key);
            return (
              <Fragment key={key}>
                <TableRow hover>
                  {parts && (
                    <TableCell className={classes.opener}>
                      <IconButton
                        size="small"
                        aria-expanded={isOpen}
                        aria-label={t('table.parts', {
                          name: props.nameOf?.(row) ?? key,
                        })}
                        onClick={() => toggle(key)}
                      >
                        {isOpen ? <ExpandLess /> : <ExpandMore />}
                      </IconButton>
                    </TableCell>
                  )}
                  {columns.map(column => (
                    <TableCell
                      key={column.title}
                      align={column.numeric ? 'right' : 'left'}
                      className={`${
                        column.wrap ? classes.wrap : classes.cell
                      } ${column.numeric ? classes.numeric : ''}`}
                    >
                      {column.show(row)}
                    </TableCell>
                  ))}
                </TableRow>
                {below.length > 0 && (
                  <TableRow>
                    {parts && <TableCell className={classes.opener} />}
                    <TableCell
                      colSpan={columns.length}
                      className={classes.stackedCell}
                    >
                      <Stacked columns={below} row={row} />
                    </TableCell>
                  </TableRow>
                )}
                {parts && isOpen && (
                  <TableRow>
                    <TableCell
                      colSpan={columns.length + 1}
                      className={classes.parts}
                    >
                      {parts(row)}
                    </TableCell>
                  </TableRow>
                )}
              </Fragment>
            );
          })}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
