import type { Catalog } from '../../../catalog/index.ts';
import { findInputs } from './found-tables.ts';
import { Recent } from './recent.ts';
import type { ReadStatement } from './statement-reading.ts';

const MOST = 200_000;
const MOST_CHARACTERS = 20_000_000;

/** Tables that a log names itself, each as a statement that reads it and nothing else. */
export class TableReader {
  readonly #catalog: Catalog;
  readonly #known = new Recent<ReadStatement | 'unknown'>(MOST, MOST_CHARACTERS);

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Undefined for a table that the catalog does not have. */
  read(name: string): ReadStatement | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known === 'unknown' ? undefined : known;
    const [table] = findInputs([{ path: partsOf(name), columns: [] }], this.#catalog).tables;
    const reading = table === undefined ? undefined : readingOf(table);
    this.#known.set(name, reading ?? 'unknown');
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
