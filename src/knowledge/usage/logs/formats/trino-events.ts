/**
 * Events of a Trino event listener as JSON lines: QueryCompletedEvent, with what the engine says it read. Source: Trino
 * SPI, io.trino.spi.eventlistener; the HTTP event listener writes these objects.
 */

import type { LogInput } from '../lines/log-entry.ts';
import {
  entryOf,
  hasAll,
  isRecord,
  type LogRow,
  listIn,
  type RowFormat,
  type RowReading,
  rejected,
  rowOfObject,
  SKIPPED,
  textIn,
} from '../lines/log-row.ts';
import { readDay } from '../lines/read-day.ts';

export const TRINO_EVENTS: RowFormat = {
  recognises: (fields) => hasAll(fields, 'metadata', 'context') || hasAll(fields, 'eventpayload'),
  read: readEvent,
};

function readEvent(line: LogRow): RowReading {
  // The Kafka event listener puts what it sends into a cover.
  const event = line.has('eventpayload') ? partOf(line, 'eventpayload') : line;
  const metadata = partOf(event, 'metadata');
  const context = partOf(event, 'context');
  const state = textIn(metadata, 'querystate')?.toUpperCase();
  // A query has an event when it is created too, and splits have theirs.
  if (state === undefined && !event.has('statistics')) return SKIPPED;
  if (state !== undefined && state !== 'FINISHED' && state !== 'FAILED') return SKIPPED;
  if (textIn(context, 'source') === 'candor') return SKIPPED;
  const sql = textIn(metadata, 'query');
  if (sql === undefined) return rejected('missing-field');
  const day = readDay(event.get('createtime') ?? event.get('endtime'));
  if (day === undefined) return rejected('no-time');
  const id = textIn(metadata, 'queryid');
  const inputs = listIn(partOf(event, 'iometadata'), 'inputs').flatMap(trinoInput);
  return entryOf({
    sql,
    user: textIn(context, 'user'),
    day,
    runs: 1,
    isSuccess: state !== 'FAILED' && !isRecord(event.get('failureinfo')),
    database: textIn(context, 'catalog'),
    schema: textIn(context, 'schema'),
    inputs: inputs.length > 0 ? inputs : listIn(metadata, 'tables').flatMap(trinoInput),
    id: id === undefined ? undefined : `trino ${id}`,
  });
}

function partOf(event: LogRow, name: string): LogRow {
  const part = event.get(name);
  return rowOfObject(isRecord(part) ? part : {});
}

/** An entry of `ioMetadata.inputs`, `inputs_json` or `metadata.tables`: columns are names or, in some versions, objects that have one. */
export function trinoInput(input: unknown): LogInput[] {
  if (!isRecord(input)) return [];
  const fields = rowOfObject(input);
  const table = textIn(fields, 'table', 'tablename');
  if (table === undefined) return [];
  const path = [textIn(fields, 'catalogname', 'catalog'), textIn(fields, 'schema', 'schemaname'), table];
  const columns = listIn(fields, 'columns').flatMap((column) => {
    if (typeof column === 'string') return [column];
    const name = isRecord(column) ? textIn(rowOfObject(column), 'name', 'columnname', 'column') : undefined;
    return name === undefined ? [] : [name];
  });
  return [{ path: path.filter((part) => part !== undefined), columns }];
}
