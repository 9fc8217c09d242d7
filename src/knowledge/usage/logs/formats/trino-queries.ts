/**
 * Rows of Trino's `system.runtime.queries`, live or exported, and of the table `trino_queries` that its MySQL event listener
 * writes, which also tells what the engine read. Source: Trino, system connector and MySQL event listener; both seen on
 * Trino 476.
 */
import {
  entryOf,
  hasAll,
  type LogRow,
  listIn,
  type RowFormat,
  type RowReading,
  rejected,
  SKIPPED,
  textIn,
} from '../lines/log-row.ts';
import { readDay } from '../lines/read-day.ts';
import { trinoInput } from './trino-events.ts';

export const TRINO_QUERIES: RowFormat = {
  recognises: (fields) => hasAll(fields, 'query_id', 'query') && (fields.has('user') || fields.has('state')),
  read: readQuery,
};

function readQuery(row: LogRow): RowReading {
  const sql = textIn(row, 'query');
  if (sql === undefined) return rejected('missing-field');
  if (textIn(row, 'source') === 'candor') return SKIPPED;
  const id = textIn(row, 'query_id');
  const day = readDay(row.get('created') ?? row.get('started')) ?? dayOfId(id);
  if (day === undefined) return rejected('no-time');
  const state = textIn(row, 'state', 'query_state')?.toUpperCase();
  // A later look shows how the others ended.
  if (state !== undefined && state !== 'FINISHED' && state !== 'FAILED') return SKIPPED;
  const inputs = listIn(row, 'inputs_json').flatMap(trinoInput);
  return entryOf({
    sql,
    user: textIn(row, 'user'),
    day,
    runs: 1,
    isSuccess: state !== 'FAILED',
    database: textIn(row, 'catalog'),
    schema: textIn(row, 'schema'),
    ...(inputs.length === 0 ? {} : { inputs }),
    id: id === undefined ? undefined : `trino ${id}`,
  });
}

/** The listener's table has no time; `20261125_170153_00000_gr6sn` begins with that of the coordinator, in UTC. */
function dayOfId(id: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)_\d{6}_/.exec(id ?? '') ?? [];
  return year === undefined ? undefined : readDay(`${year}-${month}-${day}`);
}
