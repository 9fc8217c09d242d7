import type { Catalog } from '../../../catalog/index.ts';
import type { SemanticModel } from '../../../knowledge/semantic/index.ts';
import { lemmaOf } from '../../../language/index.ts';
import { buildSchemaGraph, type SchemaGraph } from '../query/graph/schema-graph.ts';
import type { ValueMatch } from '../question/mention/mention.ts';
import { buildNameIndex, type NameIndex } from '../question/mention/name-index.ts';
import { otherSpellings } from '../question/read/spellings.ts';
import type { RatingModels } from '../rate/rate-candidates.ts';

/** Stored values by the words people use for them. */
export interface ValueLookup {
  lookup(text: string): readonly {
    readonly columnId: string;
    readonly value: string;
    readonly match: 'exact' | 'folded' | 'stem';
    readonly count?: number;
  }[];
}

/** What the grounded engine knows of a database; built once, used for every question. */
export interface GroundedKnowledge {
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly graph: SchemaGraph;
  readonly names: NameIndex;
  readonly lookupValue: (text: string) => readonly ValueMatch[];
  /** Columns that hold a text as it stands, whatever its case. */
  readonly columnsHolding: (text: string) => readonly string[];
  readonly displayColumn: (tableId: string) => string | undefined;
  /** What readings are rated with; absent: the rules alone decide. */
  readonly rating: RatingModels | undefined;
  /** Defaults that a person wants taken otherwise, by id. */
  readonly assume?: Readonly<Record<string, string>>;
}

/** What people wrote down weighs more than what happens to be stored. */
const MAPPED_SCORE = 1.1;
/** A word of what they wrote down, without the thing that it is said of. */
const HALF_MAPPED_SCORE = 0.97;
/** "French" for the stored "France" is a little less sure than the word itself. */
const OTHER_SPELLING = 0.97;
const MATCH_SCORE = { exact: 1, folded: 0.96, stem: 0.85 } as const;

export function buildKnowledge(
  stated: Catalog,
  semantics: SemanticModel,
  values: ValueLookup,
  rating?: RatingModels,
): GroundedKnowledge {
  const catalog = withPrimaryKeys(stated);
  const unstated = stated.tables.filter((table) => table.primaryKey.length === 0);
  const mapped = mappedValues(semantics);
  // A view shows again what its tables hold; only the tables can be joined.
  const views = new Set(catalog.tables.filter((table) => table.kind === 'view').map((table) => table.id));
  const isStored = (columnId: string): boolean => !views.has(tableOf(columnId));
  const display = new Map(
    semantics.datasets.flatMap((dataset) =>
      dataset.displayColumn === undefined ? [] : [[dataset.table, dataset.displayColumn] as const],
    ),
  );
  return {
    catalog,
    semantics,
    graph: buildSchemaGraph(catalog, new Set(unstated.map((table) => table.id))),
    names: buildNameIndex(catalog, semantics),
    columnsHolding: (text) =>
      [...mappedAs(text, mapped), ...storedAs(text, values, isStored)]
        .filter((hit) => hit.score >= MATCH_SCORE.folded)
        .map((hit) => hit.columnId),
    displayColumn: (tableId) => display.get(tableId),
    rating,
    lookupValue(text) {
      const known = [...mappedAs(text, mapped), ...storedAs(text, values, isStored)];
      // "New York" may be a city and, as NY, a state: what is looked for in certain columns stands beside the word itself.
      const others = otherSpellings(text).filter((other) => known.length === 0 || other.column !== undefined);
      return [
        ...known,
        ...others.flatMap((other) =>
          storedAs(other.text, values, (id) => isStored(id) && (other.column?.test(nameOf(id)) ?? true))
            .filter((hit) => hit.score > MATCH_SCORE.stem)
            .map((hit) => ({ ...hit, score: hit.score * OTHER_SPELLING, why: `“${text}” as ${hit.why}` })),
        ),
      ];
    },
  };
}

/** A table that declares no key has the one that others point to. */
function withPrimaryKeys(catalog: Catalog): Catalog {
  const pointed = new Map(catalog.foreignKeys.map((key) => [key.toTable, key.toColumns]));
  const tables = catalog.tables.map((table) => {
    const primaryKey = table.primaryKey.length > 0 ? table.primaryKey : (pointed.get(table.id) ?? []);
    return primaryKey === table.primaryKey ? table : { ...table, primaryKey };
  });
  return { ...catalog, tables };
}

function storedAs(text: string, values: ValueLookup, isSought: (columnId: string) => boolean): ValueMatch[] {
  return values
    .lookup(text)
    .filter((hit) => isSought(hit.columnId))
    .map((hit) => ({
      columnId: hit.columnId,
      tableId: tableOf(hit.columnId),
      value: hit.value,
      score: MATCH_SCORE[hit.match],
      why: `${hit.match} value of ${hit.columnId}`,
      rows: hit.count,
    }));
}

function mappedAs(text: string, mapped: ReadonlyMap<string, readonly ValueMatch[]>): readonly ValueMatch[] {
  return mapped.get(asOne(text)) ?? [];
}

/** "failed attempts" as "failed attempt": in lower case, its last word in the singular. */
function asOne(text: string): string {
  const lower = text.toLowerCase();
  return lower.replace(/[\p{L}]+s$/u, (last) => lemmaOf(last));
}

/** Words that stand for codes: "electric" is stored as 2. */
function mappedValues(semantics: SemanticModel): Map<string, ValueMatch[]> {
  const map = new Map<string, ValueMatch[]>();
  for (const { column, value, surface } of semantics.valueMappings) {
    const tableId = tableOf(column);
    const add = (text: string, score: number): void => {
      const key = asOne(text);
      const known = map.get(key) ?? [];
      if (known.some((other) => other.columnId === column && other.value === value)) return;
      map.set(key, [
        ...known,
        { columnId: column, tableId, value, score, why: `value mapping of ${column}` },
      ]);
    };
    const things = wordsFor(tableId, semantics);
    for (const text of surface) {
      add(text, MAPPED_SCORE);
      const [state = '', thing, ...more] = asOne(text).split(' ');
      // "open claims": claims that are open.
      if (thing !== undefined && more.length === 0 && things.has(thing)) add(state, HALF_MAPPED_SCORE);
    }
  }
  return map;
}

/** What the rows of a table are called, in one word. */
function wordsFor(table: string, { datasets, metrics }: SemanticModel): ReadonlySet<string> {
  const named = [...datasets, ...metrics].filter((one) => one.table === table);
  return new Set(named.flatMap(({ name, synonyms }) => [name, ...synonyms].map(asOne)));
}

function tableOf(columnId: string): string {
  return columnId.slice(0, columnId.indexOf('.'));
}

function nameOf(columnId: string): string {
  return columnId.slice(columnId.indexOf('.') + 1);
}
