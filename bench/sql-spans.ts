/**
 * Does every node know its place? The slice of each node of real queries is parsed again and must give the same
 * subtree at the same places; spans must nest, ids and parents must hold.
 * `npx tsx bench/sql-spans.ts [--smoke] [--output json]`
 */
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { parse } from '../src/sql/index.ts';
import { spanBreach, treeBreach } from '../test/fixtures/sql/tree-laws.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';
import { readQueries, type SetName } from './sql-core/read-queries.ts';

const SETS: readonly SetName[] = [
  'spider-dev',
  'bird-dev',
  'mini-mysql',
  'mini-postgres',
  'spider2-snow',
  'defog-sqlite',
  'defog-mysql',
  'defog-postgres',
  'defog-bigquery',
  'defog-snowflake',
];
const SMOKE_QUERIES = 10;

const options = readBenchOptions();
const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
try {
  const rows: Spans[] = [];
  for (const name of SETS) rows.push(await measure(name));
  const sum = (key: 'nodes' | 'misplaced') => rows.reduce((total, row) => total + row[key], 0);
  printReport(
    {
      bench: 'sql-spans',
      about: 'slices of nodes that parse to the same subtree again, and trees that break a law',
      rows,
      figures: { nodes: sum('nodes'), placedPercent: 100 * (1 - sum('misplaced') / sum('nodes')) },
    },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`sql-spans: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

type Spans = {
  readonly set: SetName;
  readonly queries: number;
  readonly lawless: number;
  readonly nodes: number;
  readonly misplaced: number;
  readonly placedPercent: number;
};

async function measure(name: SetName): Promise<Spans> {
  const { queries } = await readQueries(name, { dataDirectory, limit: Number.POSITIVE_INFINITY, seed: 0 });
  const counts = { set: name, queries: 0, lawless: 0, nodes: 0, misplaced: 0 };
  for (const { sql, dialect } of options.isSmoke ? queries.slice(0, SMOKE_QUERIES) : queries) {
    const parsed = parse(sql, dialect);
    if (!parsed.ok) continue;
    counts.queries += 1;
    if (treeBreach(parsed.tree) !== undefined) counts.lawless += 1;
    counts.nodes += parsed.tree.nodes.length;
    for (const node of parsed.tree.nodes) {
      const slice = spanBreach(parsed.tree, node);
      if (slice === undefined) continue;
      counts.misplaced += 1;
      process.stderr.write(`sql-spans: ${name}: ${node.type} ${JSON.stringify(slice.slice(0, 100))}\n`);
    }
  }
  return { ...counts, placedPercent: 100 * (1 - counts.misplaced / counts.nodes) };
}
