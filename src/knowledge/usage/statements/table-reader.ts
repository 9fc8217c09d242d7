import type { Catalog } from '../../../catalog/index.ts';
import { findInputs } from './found-tables.ts';
import { Recent } from './recent.ts';
import type { ReadStatement } from './statement-reading.ts';
import { type TableLookup, tablesMeant } from './table-lookup.ts';

/** Names that the catalog does not have and that are remembered. */
const MOST_UNKNOWN = 50_000;
const MOST_CHARACTERS = 5_000_000;

/** Tables that a log names itself, each as a statement that reads it and nothing else. */
export class TableReader {
  readonly #tables: Catalog | TableLookup;
  /** As the log spells them: no more than the catalog has, for an engine spells a name in one way. */
  readonly #known = new Map<string, ReadStatement>();
  readonly #unknown = new Recent<true>(MOST_UNKNOWN, MOST_CHARACTERS);

  constructor(tables: Catalog | TableLookup) {
    this.#tables = tables;
  }

  /** Undefined for a table that the catalog does not have. */
  read(name: string): ReadStatement | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#unknown.get(name) === true) return undefined;
    const inputs = [{ path: partsOf(name), columns: [] }];
    const [table] = findInputs(inputs, tablesMeant(this.#tables, { inputs })).tables;
    if (table === undefined) {
      this.#unknown.set(name, true);
      return undefined;
    }
    const reading = readingOf(table);
    this.#known.set(name, reading);
    return reading;
  }
}

function readingOf(table: string): ReadStatement {
  const key = `table ${table}`;
  return {
    ...{ kind: 'read', shapeKey: key, key, sql: '', isExample: false },
    ...{ tables: [table], columns: [], joins: [], unknownTables: [] },
  };
}

/** `DB.SCHEMA."My.Table"` → its three parts, without quotes. */
function partsOf(name: string): string[] {
  const parts = name.match(/"(?:[^"]|"")*"|`[^`]*`|[^.]+/g) ?? [];
  return parts.map((part) =>
    part.length > 1 && /^["`]/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part,
  );
}
