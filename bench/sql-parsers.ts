/**
 * Our parser beside the parser of the Rust crate sqlparser (its WebAssembly package) on the same queries: what each
 * parses, and how long each takes. The reason for having our own: docs/decisions/0008-own-parser.md.
 * `npx tsx bench/sql-parsers.ts [--smoke] [--output json]`
 */
import { init, parse as parseByPeer } from '@guanmingchiu/sqlparser-ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { type DialectName, parse } from '../src/sql/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent, median } from './figures.ts';
import { printReport } from './print-report.ts';
import { readQueries, type SetName } from './sql-core/read-queries.ts';

const SETS: readonly SetName[] = [
  'spider-dev',
  'bird-dev',
  'mini-mysql',
  'mini-postgres',
  'spider2-snow',
  'defog-bigquery',
];
const SMOKE_QUERIES = 20;
const ROUNDS = 3;
const GROWN = [10, 100, 1_000, 5_000];
/** What the peer calls our dialects; it has no Trino. */
const PEER_DIALECT: Readonly<Record<DialectName, string>> = {
  sqlite: 'sqlite',
  duckdb: 'duckdb',
  postgres: 'postgresql',
  mysql: 'mysql',
  trino: 'generic',
  snowflake: 'snowflake',
  bigquery: 'bigquery',
};

const options = readBenchOptions();
const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
try {
  await init();
  const rows = [];
  for (const name of SETS) rows.push(await measure(name));
  printReport(
    {
      bench: 'sql-parsers',
      about: `our parser and sqlparser 0.62 (WebAssembly), median microseconds a query, fastest of ${ROUNDS}`,
      rows,
      figures: {
        speedRatio: median(rows.map(({ peerUs, oursUs }) => peerUs / oursUs)),
        growthInSize: growthExponent(GROWN.map((joins) => [joins, timeJoins(joins)])),
      },
    },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`sql-parsers: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function measure(name: SetName) {
  const { queries } = await readQueries(name, { dataDirectory, limit: Number.POSITIVE_INFINITY, seed: 0 });
  const some = options.isSmoke ? queries.slice(0, SMOKE_QUERIES) : queries;
  const ours = some.map(({ sql, dialect }) => time(() => parse(sql, dialect).ok));
  const peer = some.map(({ sql, dialect }) => time(() => parses(sql, PEER_DIALECT[dialect])));
  return {
    set: name,
    queries: some.length,
    oursPercent: share(ours),
    peerPercent: share(peer),
    oursUs: median(ours.map(({ us }) => us)),
    peerUs: median(peer.map(({ us }) => us)),
  };
}

/** One query over this many joined tables, with a column and a condition each. */
function timeJoins(joins: number): number {
  const numbers = Array.from({ length: joins }, (_, index) => index);
  const columns = numbers.map((n) => `t${n}.name AS n${n}`).join(', ');
  const tables = numbers.map((n) => ` JOIN items AS t${n} ON t${n}.id = a.id_${n} AND t${n}.kind = 'k${n}'`);
  const sql = `SELECT ${columns} FROM a${tables.join('')} WHERE a.id IN (${numbers.join(', ')})`;
  return time(() => parse(sql, 'sqlite').ok).us;
}

interface Timed {
  readonly isParsed: boolean;
  readonly us: number;
}

function time(run: () => boolean): Timed {
  let best = Number.POSITIVE_INFINITY;
  let isParsed = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    isParsed = run();
    best = Math.min(best, performance.now() - from);
  }
  return { isParsed, us: best * 1_000 };
}

function parses(sql: string, dialect: string): boolean {
  try {
    parseByPeer(sql, dialect as Parameters<typeof parseByPeer>[1]);
    return true;
  } catch {
    return false;
  }
}

function share(timed: readonly Timed[]): number {
  return (100 * timed.filter(({ isParsed }) => isParsed).length) / timed.length;
}
