import {
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
} from '@material-ui/core';
import { ReactNode } from 'react';

/** One column: what it is called and what it shows of a row. */
export interface Column<Row> {
  title: string;
  numeric?: boolean;
  /** Long text may break; everything else stays on one line. */
  wrap?: boolean;
  show: (row: Row) => ReactNode;
}

const useStyles = makeStyles(theme => ({
  head: {
    whiteSpace: 'nowrap',
    padding: theme.spacing(0.75, 1),
    color: theme.palette.text.secondary,
    fontWeight: theme.typography.fontWeightMedium as number,
  },
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
}));

/** A read-only table that scrolls sideways by itself when the page is narrow. */
export function DataTable<Row>(props: {
  label: string;
  columns: Array<Column<Row>>;
  rows: Row[];
  keyOf: (row: Row) => string;
}) {
  const classes = useStyles();
  const { columns, rows } = props;
  return (
    <TableContainer>
      <Table size="small" aria-label={props.label}>
        <TableHead>
          <TableRow>
            {columns.map(column => (
              <TableCell
                key={column.title}
                className={classes.head}
                align={column.numeric ? 'right' : 'left'}
                scope="col"
              >
                {column.title}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(row => (
            <TableRow key={props.keyOf(row)} hover>
              {columns.map(column => (
                <TableCell
                  key={column.title}
                  align={column.numeric ? 'right' : 'left'}
                  className={`${column.wrap ? classes.wrap : classes.cell} ${
                    column.numeric ? classes.numeric : ''
                  }`}
                >
                  {column.show(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
