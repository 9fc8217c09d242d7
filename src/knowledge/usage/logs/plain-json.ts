/** Our own plain form: `{"sql": …, "user"?: …, "at"?: …, "runs"?: …, "success"?: …, "file"?: …}`. */
import { countIn, type LogRow, textIn } from './log-row.ts';
import { readDay } from './read-day.ts';
import { entryOf, type RowFormat, type RowReading, rejected } from './row-format.ts';

export const PLAIN: RowFormat = {
  recognises: (fields) => fields.has('sql'),
  read: readPlain,
};

function readPlain(row: LogRow): RowReading {
  const sql = textIn(row, 'sql');
  if (sql === undefined) return rejected('missing-field');
  const at = row.get('at') ?? undefined;
  const day = readDay(at);
  if (at !== undefined && at !== '' && day === undefined) return rejected('no-time');
  const isCounted = row.get('runs') !== undefined && row.get('runs') !== null && row.get('runs') !== '';
  const runs = isCounted ? countIn(row, 'runs') : 1;
  if (runs === undefined) return rejected('missing-field');
  const success = row.get('success');
  return entryOf({
    sql,
    user: textIn(row, 'user'),
    day,
    runs,
    isSuccess: success !== false && success !== 'false',
    database: textIn(row, 'database'),
    schema: textIn(row, 'schema'),
    name: textIn(row, 'file', 'name'),
    id: textIn(row, 'id'),
  });
}
