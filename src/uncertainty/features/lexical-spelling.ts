/** What the spelling of a name tells, and the name of the schema nearest to it; read once for each name of a schema. */
import type { NearestName, SchemaFacts } from '../../faults/index.ts';

export interface Spelling {
  readonly name: string;
  readonly lower: string;
  /** Words of letters and runs of digits. */
  readonly tokenCount: number;
  readonly hasDigit: number;
  readonly hasUnderscore: number;
  readonly isAllCaps: number;
  readonly isMixedCase: number;
  readonly isLower: number;
  readonly hasSpaceOrSpecial: number;
  readonly isShortAlias: number;
  readonly isTable: boolean;
  readonly isColumn: boolean;
  /** A table (a column) has this name in other cases only. */
  readonly isMiscasedTable: boolean;
  readonly isMiscasedColumn: boolean;
  /** Looked for when first asked; undefined in an empty schema and for names too long to be a typing error. */
  readonly nearest: () => NearestName | undefined;
}

/** A text in double quotes can be of any length: longer ones are neither searched for nor kept. */
const LONGEST_SEARCHED = 80;
/** Names kept for a schema; texts of many queries pass through a long session. */
const MOST_KEPT = 20_000;

const KEPT = new WeakMap<SchemaFacts, Map<string, Spelling>>();

export type SpellingReader = (name: string) => Spelling;

/** The reader of a schema; what it has read is kept as long as the schema is. */
export function spellingReader(schema: SchemaFacts): SpellingReader {
  const kept = KEPT.get(schema) ?? new Map<string, Spelling>();
  KEPT.set(schema, kept);
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const spelling = readSpelling(name, schema);
    if (name.length > LONGEST_SEARCHED) return spelling;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(name, spelling);
    return spelling;
  };
}

/** `FRPMCount` → FRPM, Count; `address2` → address, 2; letters without cases stay together. */
const TOKENS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|[\p{Lt}\p{Lm}\p{Lo}]+/gu;

function readSpelling(name: string, schema: SchemaFacts): Spelling {
  const lower = name.toLowerCase();
  const upper = name.toUpperCase();
  const tables = schema.tablesNamed.get(lower) ?? [];
  const columns = schema.columnsNamed.get(lower) ?? [];
  let nearest: { readonly found: NearestName | undefined } | undefined;
  return {
    name,
    lower,
    tokenCount: name.match(TOKENS)?.length ?? 0,
    hasDigit: Number(/\p{N}/u.test(name)),
    hasUnderscore: Number(name.includes('_')),
    isAllCaps: Number(name === upper && name !== lower),
    isMixedCase: Number(name !== upper && name !== lower),
    isLower: Number(name === lower && name !== upper),
    hasSpaceOrSpecial: Number(/[^\p{L}\p{N}_]/u.test(name)),
    isShortAlias: Number(/^\p{L}\p{N}*$/u.test(name)),
    isTable: tables.length > 0,
    isColumn: columns.length > 0,
    isMiscasedTable: tables.length > 0 && tables.every((table) => table.name !== name),
    isMiscasedColumn: columns.length > 0 && columns.every((column) => column.name !== name),
    nearest: () => {
      nearest ??= { found: name.length > LONGEST_SEARCHED ? undefined : schema.nearest(name) };
      return nearest.found;
    },
  };
}
