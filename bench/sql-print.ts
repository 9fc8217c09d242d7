/**
 * Printing and transpiling on real queries: whether a printed tree parses to the same tree and gives the same rows, and
 * whether SQLite queries transpiled to DuckDB without a diagnostic give the rows SQLite gave. It needs the benchmark data.
 * `npx tsx bench/sql-print.ts [--smoke] [--output json]`
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';
import type { CoreQuery } from './sql-core/query-set.ts';
import { readQueries, type SetName } from './sql-core/read-queries.ts';
import { measurePrinting, type PrintRow } from './sql-print/measure-printing.ts';
import { measureTranspiling, type TranspileRow } from './sql-print/measure-transpiling.ts';

const SETS: readonly SetName[] = [
  'spider-dev',
  'bird-dev',
  'mini-sqlite',
  'mini-mysql',
  'mini-postgres',
  'spider2-snow',
  'defog-sqlite',
  'defog-mysql',
  'defog-postgres',
  'defog-bigquery',
  'defog-snowflake',
];
const SMOKE_SETS: readonly SetName[] = ['spider-dev', 'bird-dev'];
const SMOKE_LIMIT = 40;
/** Sets of SQLite queries whose databases may be here. */
const EXECUTED: readonly SetName[] = ['spider-dev', 'bird-dev'];
const REPORT = fileURLToPath(new URL('../out/sql-print.jsonl', import.meta.url));

const options = readBenchOptions();
const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
const tell = (line: string): void => void process.stderr.write(`sql-print: ${line}\n`);
mkdirSync(dirname(REPORT), { recursive: true });
const report = createWriteStream(REPORT);
const write = (finding: unknown): void => void report.write(`${JSON.stringify(finding)}\n`);

const printed: PrintRow[] = [];
const transpiled: TranspileRow[] = [];
for (const name of options.isSmoke ? SMOKE_SETS : SETS) {
  const queries = await readSet(name);
  if (queries === undefined) continue;
  printed.push(measurePrinting(name, queries, { dataDirectory, write }));
  if (EXECUTED.includes(name))
    transpiled.push(...(await measureTranspiling(name, queries, { dataDirectory, write })));
}
report.end();
if (printed.length === 0) {
  tell('nothing was measured: none of the sets is here.');
  process.exitCode = 3;
} else {
  printReport(
    {
      bench: 'sql-print',
      about: 'printed and parsed again, shares in percent; "rows" where a database is here to run it',
      rows: printed.map((row) => ({ ...row })),
      figures: {},
    },
    options,
  );
  printReport(
    {
      bench: 'sql-print, SQLite to DuckDB',
      about: `the same rows, shares in percent of the queries SQLite runs; every difference: ${REPORT}`,
      rows: transpiled.map((row) => ({ ...row })),
      figures: {},
    },
    options,
  );
}

/** A set that is not here is passed over aloud: the others are still worth measuring. */
async function readSet(name: SetName): Promise<readonly CoreQuery[] | undefined> {
  const limit = options.isSmoke ? SMOKE_LIMIT : Number.POSITIVE_INFINITY;
  try {
    return (await readQueries(name, { dataDirectory, limit, seed: 1 })).queries;
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
    tell(`${name} is left out: ${error.message}\n  → ${error.next}`);
    return undefined;
  }
}
