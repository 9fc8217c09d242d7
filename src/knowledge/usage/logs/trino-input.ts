import type { LogInput } from './log-entry.ts';
import { isRecord, listIn, rowOfObject, textIn } from './log-row.ts';

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
