import type { Table } from '../../../catalog/index.ts';
import type { Cause, FromTable } from '../../../sql/index.ts';

/** A table of the catalog as FROM or JOIN reads it. */
export function fromTable({ name, qualifier }: Table, because?: Cause): FromTable {
  return {
    table: name,
    ...(qualifier === undefined ? {} : { qualifier }),
    ...(because === undefined ? {} : { cause: because }),
  };
}
