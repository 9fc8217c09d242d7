/** Which log a file is, from its first lines; never from its name. */
import { CsvRecord } from '../../../lib/index.ts';
import { GENERAL_BANNER, GENERAL_ENTRY } from './formats/mysql-general.ts';
import { LOG_CSV } from './lines/csv-lines.ts';
import { parseObject } from './lines/row-reader.ts';
import {
  type DetectedLog,
  isLogFormat,
  type LogContainer,
  type LogFormatName,
  ROW_FORMATS,
} from './log-formats.ts';

/** Lines looked at: the first may be cut off or broken. */
const LINES = 200;
const CSVLOG = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [^,\s]+,/;
const SLOW = /^# (?:Time|User@Host): /;

/** The format of a log that begins with this text; undefined when none of ours is recognised. */
export function detectFormat(head: string): DetectedLog | undefined {
  const container = containerOf(head);
  if (container === 'json-array') return detectArray(head);
  const lines = head.split(/\r?\n/, LINES);
  for (const line of lines) {
    if (CSVLOG.test(line)) return { format: 'postgres-csvlog', container: 'text' };
    if (SLOW.test(line)) return { format: 'mysql-slow', container: 'text' };
    if (GENERAL_ENTRY.test(line)) return { format: 'mysql-general', container: 'text' };
    const object = line.trimStart().startsWith('{') ? parseObject(line.trim().replace(/,$/, '')) : undefined;
    const format = object && formatOfFields(Object.keys(object));
    if (format !== undefined) return { format, container: ROW_FORMATS[format] ? 'json' : 'text' };
  }
  if (lines.some((line) => GENERAL_BANNER.test(line))) return { format: 'mysql-general', container: 'text' };
  return detectCsv(lines[0] ?? '');
}

/** How a log of a named format is laid out. */
export function containerFor(format: LogFormatName, head: string): LogContainer {
  return ROW_FORMATS[format] === undefined ? 'text' : containerOf(head);
}

function containerOf(head: string): LogContainer {
  const [first] = head.trimStart();
  if (first === '[') return 'json-array';
  return first === '{' ? 'json' : 'csv';
}

/** The first object that is whole, found by trying every closing bracket of the beginning. */
function detectArray(head: string): DetectedLog | undefined {
  const from = head.indexOf('{');
  let tries = 0;
  for (
    let to = head.indexOf('}', from);
    from >= 0 && to >= 0 && tries < LINES;
    to = head.indexOf('}', to + 1)
  ) {
    tries += 1;
    const object = parseObject(head.slice(from, to + 1));
    if (object === undefined) continue;
    const format = formatOfFields(Object.keys(object));
    return format === undefined ? undefined : { format, container: 'json-array' };
  }
  return undefined;
}

function detectCsv(line: string): DetectedLog | undefined {
  const record = new CsvRecord(LOG_CSV);
  if (record.pushLine(line) !== 'whole') return undefined;
  const format = formatOfFields(record.fields.map((name) => name.trim()));
  return format === undefined ? undefined : { format, container: 'csv' };
}

/** The log that rows with these fields are of. */
function formatOfFields(names: readonly string[]): LogFormatName | undefined {
  const fields = new Set(names.map((name) => name.toLowerCase()));
  if (fields.has('error_severity') && fields.has('timestamp')) return 'postgres-jsonlog';
  const [found = ''] = Object.entries(ROW_FORMATS).find(([, format]) => format.recognises(fields)) ?? [];
  return isLogFormat(found) ? found : undefined;
}
