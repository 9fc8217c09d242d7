/** Everything known of a database as one graph, with who said it. Indexes are made when they are first asked for. */
import type { Column, Table } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import type { DescribedTable } from '../described/described.ts';
import type { DescribedField, Dimension } from '../semantic/semantic-model.ts';
import type { CoQueried, Usage } from '../usage/usage.ts';
import { authoredFacts } from './authored-facts.ts';
import type { GraphSources } from './graph-sources.ts';
import { graphStats } from './graph-stats.ts';
import { joinEdges } from './join-edges.ts';
import type { ColumnNode, Fact, JoinEdge, KnowledgeGraph, Provenance, TableNode } from './knowledge-graph.ts';
import { lazily } from './lazily.ts';
import { pairTables } from './pair-tables.ts';
import { placeSemantics } from './place-semantics.ts';

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
