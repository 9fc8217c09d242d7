/**
 * The knowledge graph of a warehouse: time to build it and to walk over every table, column and join.
 * `npx tsx bench/knowledge-graph.ts [--smoke] [--output json]`
 */

import { buildKnowledgeGraph } from '../src/knowledge/graph/index.ts';
import { addSemanticKeys, emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { TableAccesses } from '../src/knowledge/usage/table-accesses.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { printReport } from './print-report.ts';
import { startClock } from './start-clock.ts';
import { buildSyntheticDatabase } from './synthetic-catalog.ts';

/** 20 columns a table: the last size has 350,000 columns. */
const TABLES = [2_000, 6_000, 17_500];
const SMOKE_TABLES = [50, 100];
const USED_SHARE = 3;

const options = readBenchOptions();
const rows = (options.isSmoke ? SMOKE_TABLES : TABLES).map(measure);
printReport(
  {
    bench: 'knowledge-graph',
    about: 'catalog, usage and notes joined in one graph; then every table, column and join asked for',
    rows,
    figures: {
      cpuGrowth: growthExponent(rows.map(({ columns, allCpuMs }) => [columns, allCpuMs])),
    },
  },
  options,
);

function measure(
  tableCount: number,
): Record<'tables' | 'columns' | 'joins' | 'buildMs' | 'allMs' | 'allCpuMs' | 'heapMb', number> {
  const { catalog: bare } = buildSyntheticDatabase(tableCount, 1);
  const catalog = addSemanticKeys(bare, emptySemanticModel);
  const used = catalog.tables.filter((_, at) => at % USED_SHARE === 0);
  const usage = {
    from: '2024-10-01',
    to: '2024-12-31',
    tables: used.map(({ id }, at) => ({
      tableId: id,
      runs: at,
      users: 3,
      popularity: 1,
      lastAt: '2024-12-30',
    })),
    columns: used.flatMap(({ columns }) =>
      columns.slice(0, 5).map(({ id }) => ({ columnId: id, runs: 9, users: 3, popularity: 1 })),
    ),
    joins: catalog.foreignKeys.map(({ fromTable, toTable, fromColumns, toColumns }) => ({
      leftTable: fromTable,
      rightTable: toTable,
      on: fromColumns.map((column, at): [string, string] => [column, toColumns[at] ?? column]),
      runs: 1,
      users: 1,
    })),
    coQueried: [],
    accesses: TableAccesses.of([]),
    examples: [],
  };
  const notes = used.map(({ id }, at) => ({
    id: `notes.md#${at}`,
    text: `about ${id}`,
    kind: 'data' as const,
    topic: [],
    areas: [],
    tables: [id],
    columns: [],
    place: `knowledge/notes.md:${at}`,
  }));
  const authored = { notes, jargon: [], statuses: [], areas: [] };
  const heap = process.memoryUsage().heapUsed;
  const clock = startClock();
  const graph = buildKnowledgeGraph({
    catalog,
    semantics: emptySemanticModel,
    authored,
    examples: [],
    usage,
  });
  const built = clock();
  const { things } = graph.stats();
  for (const id of graph.tableIds) graph.notesOf(id);
  const walked = clock();
  return {
    tables: tableCount,
    columns: things.column ?? 0,
    joins: things.join ?? 0,
    buildMs: built.seconds * 1000,
    allMs: walked.seconds * 1000,
    allCpuMs: walked.cpuSeconds * 1000,
    heapMb: (process.memoryUsage().heapUsed - heap) / 1e6,
  };
}
