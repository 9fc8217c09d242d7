import { createHash } from 'node:crypto';
import type { SchemaForeignKey, SchemaTable } from '../database/index.ts';

/** Hash of what is declared of a table: it changes with its columns, types and keys, not with its rows. */
export function tableFingerprint(table: SchemaTable, keys: readonly SchemaForeignKey[] = []): string {
  // Statistics move while the schema stays.
  const { estimatedRows: _, dataStamp: __, ...lasting } = table;
  return createHash('sha256')
    .update(JSON.stringify([lasting, keys]))
    .digest('hex')
    .slice(0, 16);
}
