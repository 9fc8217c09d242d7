/** The tables and columns that the filter keeps, while they are put together. */
import type { Catalog, Table } from '../../catalog/index.ts';
import type { LinkedItem, LinkReason } from '../schema/linked-schema.ts';
import type { FilterEvidence } from './filter-evidence.ts';
import type { Signal } from './signal.ts';

/**
 * Which keys stay: those of all tables, of the tables with a found column, or of these and of the tables between them.
 */
export type Backbone = 'all' | 'touched' | 'paths';

export interface KeptField {
  readonly because: readonly LinkReason[];
  /** Of what speaks for it; absent: it is a key only. */
  readonly score?: number;
  readonly isKey: boolean;
  readonly isAuto: boolean;
}

/** By column id, and by table id where a definition names the table itself. */
export type Found = ReadonlyMap<string, Signal>;

/** What speaks for each item, its highest score and all reasons. */
export function mergeSignals({ values, columns, names, defined }: FilterEvidence, useNames: boolean): Found {
  const found = new Map<string, Signal>();
  for (const signals of [defined, values, useNames ? names : undefined, columns])
    for (const [id, { score, because }] of signals ?? []) {
      const known = found.get(id);
      found.set(id, {
        score: Math.max(score, known?.score ?? 0),
        because: [...(known?.because ?? []), ...because],
      });
    }
  return found;
}

/** Tables with a found column, or that are found themselves. */
export function touchedTables({ tables }: Catalog, found: Found): ReadonlySet<string> {
  return new Set(
    tables
      .filter(({ id, columns }) => found.has(id) || columns.some((column) => found.has(column.id)))
      .map(({ id }) => id),
  );
}

/** Found columns and the keys of the tables that count for the backbone, by column id. */
export function keptFields(
  { tables, foreignKeys }: Catalog,
  found: Found,
  isKeyTable: (table: Table) => boolean,
): Map<string, KeptField> {
  const refersTo = new Map<string, string>();
  for (const { fromColumns, toColumns } of foreignKeys)
    for (const [at, id] of fromColumns.entries()) refersTo.set(id, toColumns[at] ?? '');
  const kept = new Map<string, KeptField>();
  for (const table of tables)
    for (const { id } of table.columns) {
      const signal = found.get(id);
      const reasons = isKeyTable(table) ? keyReasons(id, table, refersTo) : [];
      if (signal === undefined && reasons.length === 0) continue;
      kept.set(id, {
        because: [...(signal?.because ?? []), ...reasons],
        ...(signal === undefined ? {} : { score: signal.score }),
        isKey: reasons.length > 0,
        isAuto: false,
      });
    }
  return kept;
}

function keyReasons(
  columnId: string,
  { primaryKey }: Table,
  refersTo: ReadonlyMap<string, string>,
): LinkReason[] {
  const target = refersTo.get(columnId);
  const own = primaryKey.length === 1 ? 'it is the primary key' : 'it is a part of the primary key';
  return [
    ...(primaryKey.includes(columnId) ? [{ kind: 'key' as const, text: own }] : []),
    ...(target === undefined ? [] : [{ kind: 'key' as const, text: `it refers to ${target}` }]),
  ];
}

/** Adds the columns that join paths need: a column that was kept anyway gets one more reason. */
export function addPathFields(kept: Map<string, KeptField>, items: readonly LinkedItem[]): void {
  for (const { id, kind, because } of items) {
    if (kind !== 'field') continue;
    const known = kept.get(id);
    kept.set(
      id,
      known === undefined
        ? { because, isKey: true, isAuto: true }
        : { ...known, because: [...known.because, ...because], isKey: true },
    );
  }
}
