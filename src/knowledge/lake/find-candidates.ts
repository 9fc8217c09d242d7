/** From ranked texts to tables: those that have them, and those of their families. */
import type { Table } from '../../catalog/index.ts';
import type { StateFile } from '../../store/index.ts';
import { compareCodePoints } from './code-point-order.ts';
import { namesOf, readSchema, readTable, type StoredSchema } from './postings/pack-table.ts';
import type { TextRanking } from './postings/rank-texts.ts';

export interface Candidates {
  readonly tables: readonly CandidateTable[];
  /** Those of them that are in the scope. */
  readonly inScope: ReadonlySet<string>;
  /** BM25 of the best texts, each by the table of the least id that has it in the scope, best first. */
  readonly words: readonly { readonly id: string; readonly score: number }[];
  /** How much a term tells in a name of this lake. */
  readonly rarity: (term: string) => number;
}

/** Columns are read when they are asked for: of a thousand tables that are ranked twenty show theirs. */
interface CandidateTable extends Table {
  /** Equal for tables of one schema whose columns have the same names. */
  readonly shape: string;
}

interface Found {
  readonly ranking: TextRanking;
  /** Keys of the scope; absent: the whole lake. */
  readonly keys: ReadonlySet<number> | undefined;
  readonly named: readonly string[];
  readonly rarity: (term: string) => number;
}

/** All tables of a scope of this size are candidates: one without a word of the question may be its join table. */
const SMALL_SCOPE = 300;
/** Of one text, one pattern of names, one set of columns: a day each for years, no more. */
const MOST_ALIKE = 1_000;
/** Tables in all that one question brings into memory. */
const MOST_CANDIDATES = 4_000;

export function findCandidates(file: StateFile, { ranking, keys, named, rarity }: Found): Candidates {
  const lookup = new CandidateLookup(file);
  const isInScope = (key: number): boolean => keys?.has(key) ?? true;
  const texts = [...new Set([...ranking.words, ...ranking.names].map(({ text }) => text))];
  const leastOf = lookup.addTexts(texts, isInScope);
  const byId = file.statement('SELECT key FROM marks WHERE id = ?');
  lookup.add(named.map((id) => Number(byId.get(id)?.key ?? 0)));
  if (keys !== undefined && keys.size <= SMALL_SCOPE) lookup.add([...keys]);
  const chosen = lookup.withFamilies();
  return {
    tables: chosen.map(({ table }) => table),
    inScope: new Set(chosen.flatMap(({ key, table }) => (isInScope(key) ? [table.id] : []))),
    words: ranking.words.flatMap(({ text, score }) => {
      const id = leastOf.get(text);
      return id === undefined ? [] : [{ id, score }];
    }),
    rarity,
  };
}

interface KeyedCandidate {
  readonly key: number;
  readonly table: CandidateTable;
}

type Row = Readonly<Record<string, unknown>>;

const FIELDS = 't.key AS key, t.id AS id, t.name AS name, t.spelt AS spelt, t.schema AS schema';
const FORMS = 't.text AS text, t.pattern AS pattern, t.shape AS shape';
/** One statement for hundreds of values: each call of a statement costs more than what it looks up. */
const BY_KEYS = `SELECT ${FIELDS}, ${FORMS} FROM json_each(?) AS j CROSS JOIN tables AS t WHERE t.key = j.value`;
const keysBy = (field: 'text' | 'pattern' | 'shape'): string => `
  SELECT t.key AS key FROM json_each(?) AS j CROSS JOIN tables AS t
  WHERE t.key IN (SELECT o.key FROM tables AS o WHERE o.${field} = j.value LIMIT ${MOST_ALIKE})`;

class CandidateLookup {
  readonly #file: StateFile;
  readonly #chosen = new Map<number, KeyedCandidate>();
  readonly #patterns = new Set<number>();
  readonly #shapes = new Set<number>();
  readonly #schemas = new Map<number, StoredSchema>();

  constructor(file: StateFile) {
    this.#file = file;
  }

  /** Adds the tables of the texts that are in the scope; returns the least id of each text. */
  addTexts(texts: readonly number[], isInScope: (key: number) => boolean): ReadonlyMap<number, string> {
    const least = new Map<number, string>();
    for (const row of this.#read(this.#keysBy('text', texts).filter(isInScope))) {
      const { table } = this.#put(row);
      const text = Number(row.text);
      const known = least.get(text);
      if (known === undefined || compareCodePoints(table.id, known) < 0) least.set(text, table.id);
    }
    return least;
  }

  /** Keys that are not there add nothing. */
  add(keys: readonly number[]): void {
    for (const row of this.#read(keys.filter((key) => !this.#chosen.has(key)))) this.#put(row);
  }

  /** In the order of their keys, with the tables of the same schema whose names differ in numbers, or of equal columns. */
  withFamilies(): readonly KeyedCandidate[] {
    const alike = [...this.#keysBy('pattern', this.#patterns), ...this.#keysBy('shape', this.#shapes)];
    this.add([...new Set(alike)].slice(0, MOST_CANDIDATES));
    // Those that were found come first, should there be too many.
    return [...this.#chosen.values()].slice(0, MOST_CANDIDATES).sort((a, b) => a.key - b.key);
  }

  #keysBy(field: 'text' | 'pattern' | 'shape', values: Iterable<number>): number[] {
    const rows = this.#file.statement(keysBy(field)).all(JSON.stringify([...values]));
    return rows.map(({ key }) => Number(key));
  }

  #read(keys: readonly number[]): readonly Row[] {
    return this.#file.statement(BY_KEYS).all(JSON.stringify(keys));
  }

  #put(row: Row): KeyedCandidate {
    const key = Number(row.key);
    const candidate = { key, table: this.#toTable(key, row) };
    this.#chosen.set(key, candidate);
    this.#patterns.add(Number(row.pattern));
    this.#shapes.add(Number(row.shape));
    return candidate;
  }

  #toTable(key: number, row: Row): CandidateTable {
    const file = this.#file;
    let columns: Table['columns'] | undefined;
    return {
      ...namesOf(String(row.id), String(row.spelt ?? row.name), this.#schemaOf(Number(row.schema))),
      ...{ kind: 'table', primaryKey: [], rowCount: 0, shape: String(row.shape) },
      get columns() {
        columns ??= readTable(file, key)?.columns ?? [];
        return columns;
      },
    };
  }

  #schemaOf(key: number): StoredSchema {
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const row = this.#file.statement('SELECT names FROM schemas WHERE key = ?').get(key);
    const schema = readSchema(row?.names);
    this.#schemas.set(key, schema);
    return schema;
  }
}
