import type { Catalog } from '../../catalog/index.ts';
import type { SemanticModel } from '../../knowledge/index.ts';
import type { ValueMatch } from './mention/mention.ts';
import { buildNameIndex, type NameIndex } from './mention/name-index.ts';
import { buildSchemaGraph, type SchemaGraph } from './plan/schema-graph.ts';
import type { RatingModels } from './rate/rate-candidates.ts';
import { otherSpellings } from './read/other-spellings.ts';

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
      [...(mapped.get(text.toLowerCase()) ?? []), ...storedAs(text, values, isStored)]
        .filter((hit) => hit.score >= MATCH_SCORE.folded)
        .map((hit) => hit.columnId),
    displayColumn: (tableId) => display.get(tableId),
    rating,
    lookupValue(text) {
      const known = [...(mapped.get(text.toLowerCase()) ?? []), ...storedAs(text, values, isStored)];
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

/** Words that stand for codes: "electric" is stored as 2. */
function mappedValues(semantics: SemanticModel): Map<string, ValueMatch[]> {
  const map = new Map<string, ValueMatch[]>();
  for (const { column, value, surface } of semantics.valueMappings) {
    for (const text of surface) {
      const key = text.toLowerCase();
      map.set(key, [
        ...(map.get(key) ?? []),
        {
          columnId: column,
          tableId: tableOf(column),
          value,
          score: MAPPED_SCORE,
          why: `value mapping of ${column}`,
        },
      ]);
    }
  }
  return map;
}

function tableOf(columnId: string): string {
  return columnId.slice(0, columnId.indexOf('.'));
}

function nameOf(columnId: string): string {
  return columnId.slice(columnId.indexOf('.') + 1);
}
