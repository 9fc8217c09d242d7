/** Everything known of a database as one graph, with who said it. Indexes are made when they are first asked for. */
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { findNames, lexSql, parse } from '../../sql/index.ts';
import type { Authored, JargonTerm, Note, ProductArea } from '../authored/authored.ts';
import { catalogNames } from '../authored/catalog-names.ts';
import type { DescribedTable } from '../authored/described.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import type { Dataset, DescribedField, Dimension, SemanticModel } from '../semantic/semantic-model.ts';
import type { CoQueried, Usage } from '../usage/usage.ts';
import { type GraphSources, graphStats, lazily } from './graph-stats.ts';
import { joinEdges } from './join-edges.ts';
import type { ColumnNode, Fact, JoinEdge, KnowledgeGraph, Provenance, TableNode } from './knowledge-graph.ts';

const OF_SEMANTICS: Provenance = { source: 'person', place: 'semantics' };

/** Joins what catalog, semantic model, notes, logs and clusters say; takes no longer than its largest part is long. */
export function buildKnowledgeGraph(sources: GraphSources): KnowledgeGraph {
  const { catalog, authored, usage, clustering } = sources;
  const tables = new Map(catalog.tables.map((table) => [table.id, table]));
  const columns = lazily(() => {
    const byId = new Map<string, Column>();
    for (const table of catalog.tables) for (const column of table.columns) byId.set(column.id, column);
    return byId;
  });
  const nodes = nodeMaker(sources);
  const joins = lazily(() => bySide(joinEdges(catalog.foreignKeys, usage)));
  const coQueried = lazily(() =>
    bySide([...(usage?.coQueried ?? [])].sort((a, b) => b.runs - a.runs || compare(a, b))),
  );
  const facts = lazily(() => authoredFacts(sources));
  const notesOf = lazily(() =>
    grouped(facts().notes.map((note) => [[...note.value.tables, ...note.value.columns.map(tableOf)], note])),
  );
  const examplesOf = lazily(() => grouped(exampleFacts(sources)));
  const users = lazily(() => usersOf(authored, usage, clustering));
  const graph: KnowledgeGraph = {
    table: (id) => nodes.table(tables.get(id)),
    column: (id) => {
      const column = columns().get(id);
      return column && nodes.column(tables.get(column.tableId), column);
    },
    tableIds: [...tables.keys()],
    joins: (id) => joins().get(id) ?? [],
    coQueried: (id) => coQueried().get(id) ?? [],
    notesOf: (id) => notesOf().get(id) ?? [],
    examplesOf: (id) => examplesOf().get(id) ?? [],
    get notes() {
      return facts().notes;
    },
    get jargon() {
      return facts().jargon;
    },
    get areas() {
      return facts().areas;
    },
    get users() {
      return users();
    },
    stats: () => graphStats(graph, sources),
  };
  return graph;
}

interface NodeMaker {
  table(table: Table | undefined): TableNode | undefined;
  column(table: Table | undefined, column: Column): ColumnNode;
}

function nodeMaker({ catalog, semantics, authored, usage, clustering, readAt }: GraphSources): NodeMaker {
  const said = lazily(() => placeSemantics(semantics, catalog));
  const statuses = lazily(() => new Map(authored.statuses.map((status) => [status.table, status])));
  const guessed = lazily(() => guessesById(authored.described ?? []));
  const orGuessed = (id: string, said: readonly Fact<string>[]): readonly Fact<string>[] =>
    said.length > 0 ? said : (guessed().get(id) ?? []);
  const popularTables = lazily(
    () => new Map(usage?.tables.map((table) => [table.tableId, table.popularity])),
  );
  const popularColumns = lazily(
    () => new Map(usage?.columns.map((column) => [column.columnId, column.popularity])),
  );
  const ofEngine: Provenance = { source: 'engine', ...(readAt === undefined ? {} : { at: readAt }) };
  const comment = (text: string | undefined): Fact<string>[] =>
    text === undefined || text.trim() === '' ? [] : [{ value: text, from: ofEngine }];
  const popularity = (value: number | undefined): { readonly popularity?: Fact<number> } =>
    value === undefined || usage === undefined
      ? {}
      : { popularity: { value, from: { source: 'usage', at: usage.to, place: 'query logs' } } };
  return {
    table: (table) => {
      if (table === undefined) return undefined;
      const datasets = said().datasets.get(table.id) ?? [];
      const status = statuses().get(table.id);
      return {
        id: table.id,
        name: table.name,
        descriptions: orGuessed(table.id, [
          ...datasets.flatMap(({ description }) => ofPeople(description)),
          ...comment(table.comment),
        ]),
        synonyms: distinct(
          datasets.flatMap(({ name, synonyms }) => [name, ...synonyms]),
          table.name,
        ),
        ...popularity(popularTables().get(table.id)),
        ...(status === undefined
          ? {}
          : {
              status: {
                value: status,
                from: { source: 'person', by: status.by, at: status.at, place: status.place },
              },
            }),
        clusterIds: clustering?.clustersOf(table.id) ?? [],
        columnIds: table.columns.map(({ id }) => id),
      };
    },
    column: (table, { id, tableId, name, comment: text }) => {
      const dimensions: readonly Dimension[] = said().dimensions.get(id) ?? [];
      const fields: readonly DescribedField[] = said().fields.get(id) ?? [];
      return {
        id,
        tableId,
        name,
        descriptions: orGuessed(id, [
          ...[...dimensions, ...fields].flatMap(({ description }) => ofPeople(description)),
          ...comment(text),
        ]),
        synonyms: distinct(
          dimensions.flatMap((dimension) => [dimension.name, ...dimension.synonyms]),
          name,
        ),
        ...popularity(popularColumns().get(id)),
        isPartitionKey: table?.partitionKey?.includes(id) ?? false,
      };
    },
  };
}

function guessesById(described: readonly DescribedTable[]): ReadonlyMap<string, Fact<string>[]> {
  return grouped(
    described.flatMap(({ guesses, by, at, place }) =>
      guesses
        .filter(({ value, sure }) => value === undefined && sure !== 'low')
        .map(({ of, text }) => [[of], { value: text, from: { source: 'model', by, at, place } }] as const),
    ),
  );
}

function ofPeople(text: string | undefined): Fact<string>[] {
  return text === undefined || text.trim() === '' ? [] : [{ value: text, from: OF_SEMANTICS }];
}

/** Words for a thing, each once, without its own name. */
function distinct(words: readonly string[], name: string): Fact<string>[] {
  const own = name.toLowerCase();
  return [...new Set(words)]
    .filter((word) => word.toLowerCase() !== own)
    .map((value) => ({ value, from: OF_SEMANTICS }));
}

type ExampleFact = ReturnType<KnowledgeGraph['examplesOf']>[number];

/** What people have checked comes before what stands in logs. */
function exampleFacts({
  catalog,
  examples,
  usage,
}: GraphSources): (readonly [readonly string[], ExampleFact])[] {
  const tables = pairTables(examples, catalog);
  return [
    ...examples.map((pair, at): readonly [readonly string[], ExampleFact] => [
      tables[at] ?? [],
      {
        value: pair,
        from: {
          source: 'person',
          ...(pair.verifiedBy === undefined ? {} : { by: pair.verifiedBy }),
          ...(pair.verifiedAt === undefined ? {} : { at: pair.verifiedAt }),
          place: `examples/${pair.file}`,
        },
      },
    ]),
    ...(usage?.examples ?? []).map((candidate): readonly [readonly string[], ExampleFact] => [
      candidate.tables,
      {
        value: candidate,
        from: { source: 'usage', by: candidate.author, at: candidate.lastAt, place: 'query logs' },
      },
    ]),
  ];
}

function grouped<Item>(items: readonly (readonly [readonly string[], Item])[]): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const [keys, item] of items)
    for (const key of new Set(keys)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  return groups;
}

function bySide<Link extends JoinEdge | CoQueried>(links: readonly Link[]): ReadonlyMap<string, Link[]> {
  return grouped(links.map((link) => [[link.leftTable, link.rightTable], link] as const));
}

function compare(a: CoQueried, b: CoQueried): number {
  return `${a.leftTable} ${a.rightTable}` < `${b.leftTable} ${b.rightTable}` ? -1 : 1;
}

function tableOf(columnId: string): string {
  return columnId.slice(0, columnId.lastIndexOf('.'));
}

function usersOf(
  { areas, notes }: Authored,
  usage: Usage | undefined,
  clustering: GraphSources['clustering'],
): string[] {
  const found = new Set([
    ...areas.flatMap(({ members }) => members),
    ...notes.flatMap(({ user }) => user ?? []),
    ...(clustering?.users() ?? []),
  ]);
  for (const user of usage?.accesses.users ?? []) found.add(user);
  return [...found].sort();
}

/** Canonical ids of the tables that each pair reads; none for SQL that does not parse. */
function pairTables(
  pairs: readonly VerifiedPair[],
  { tables, dialect }: Pick<Catalog, 'tables' | 'dialect'>,
): readonly (readonly string[])[] {
  // Names are resolved against an index, which is dear for a whole warehouse: only tables that could be meant go in.
  const words = new Set(
    pairs.flatMap(({ sql }) => lexSql(sql, dialect).map(({ text }) => bare(text).toLowerCase())),
  );
  const schema = { tables: tables.filter(({ name }) => words.has(name.toLowerCase())) };
  return pairs.map(({ sql }) => {
    const parsed = parse(sql, dialect);
    return parsed.ok ? findNames(parsed.tree, schema).tables : [];
  });
}

/** Without the quotes of an identifier. */
function bare(text: string): string {
  return text.replace(/^["`[](.*)["`\]]$/s, '$1');
}

interface AuthoredFacts {
  readonly notes: readonly Fact<Note>[];
  /** Of `knowledge/` and of the semantic model; the same word with the same meaning once. */
  readonly jargon: readonly Fact<JargonTerm>[];
  readonly areas: readonly Fact<ProductArea>[];
}

/** What people wrote, with who, when and where. */
function authoredFacts({
  authored: { notes, jargon, areas },
  semantics,
}: {
  readonly authored: Authored;
  readonly semantics: SemanticModel;
}): AuthoredFacts {
  const keyOf = ({ term, meaning }: Pick<JargonTerm, 'term' | 'meaning'>): string =>
    JSON.stringify([term.toLowerCase(), meaning.toLowerCase()]);
  const terms = new Map(jargon.map((term) => [keyOf(term), term]));
  for (const { term, meaning } of semantics.jargon)
    if (!terms.has(keyOf({ term, meaning })))
      terms.set(keyOf({ term, meaning }), { term, meaning, place: 'semantics' });
  return {
    notes: notes.map((value) => ({
      value,
      from: {
        source: 'person',
        ...(value.by === undefined ? {} : { by: value.by }),
        ...(value.at === undefined ? {} : { at: value.at }),
        place: value.place,
      },
    })),
    jargon: [...terms.values()].map((value) => ({ value, from: { source: 'person', place: value.place } })),
    areas: areas.map((value) => ({ value, from: { source: 'person', place: 'knowledge/areas.yml' } })),
  };
}

interface PlacedSemantics {
  /** By table id. */
  readonly datasets: ReadonlyMap<string, readonly Dataset[]>;
  /** By column id. */
  readonly dimensions: ReadonlyMap<string, readonly Dimension[]>;
  /** Of columns that are described and take part in no question; by column id. */
  readonly fields: ReadonlyMap<string, readonly DescribedField[]>;
}

/** Which table of the catalog each dataset describes, and which column each dimension; what means none is left out. */
function placeSemantics(
  { datasets, dimensions, fields = [] }: SemanticModel,
  catalog: Pick<Catalog, 'tables'>,
): PlacedSemantics {
  const { tableOf } = catalogNames(catalog);
  const tableIds = new Map<string, string>();
  const byTable = new Map<string, Dataset[]>();
  for (const dataset of datasets) {
    const id = placeDataset(dataset, tableOf);
    if (id === undefined) continue;
    tableIds.set(dataset.table, id);
    byTable.set(id, [...(byTable.get(id) ?? []), dataset]);
  }
  const byColumn = <Field extends DescribedField>(all: readonly Field[]): ReadonlyMap<string, Field[]> => {
    const found = new Map<string, Field[]>();
    for (const field of all) {
      const tableId = tableIds.get(field.table) ?? tableOf(field.table);
      if (tableId === undefined || !field.column.startsWith(`${field.table}.`)) continue;
      const id = `${tableId}${field.column.slice(field.table.length)}`;
      found.set(id, [...(found.get(id) ?? []), field]);
    }
    return found;
  };
  return { datasets: byTable, dimensions: byColumn(dimensions), fields: byColumn(fields) };
}

/** `warehouse.sales.orders` may have the id `sales.orders` or `orders`, where names before it are not needed. */
function placeDataset(
  { table, source }: Dataset,
  tableOf: (written: string) => string | undefined,
): string | undefined {
  const parts = (source ?? table).split('.');
  for (let from = 0; from < parts.length; from += 1) {
    const id = tableOf(parts.slice(from).join('.'));
    if (id !== undefined) return id;
  }
  return tableOf(table);
}
