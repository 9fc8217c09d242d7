/**
 * Our SQL core beside SQLGlot on real queries: what each parses, whether they find the same tables and columns behind
 * every reference, and how long each takes in the same run. It needs the benchmark data and a Python 3.
 * `npx tsx bench/sql-core.ts [--sets spider-dev,bird-dev] [--limit 500|all] [--no-time] [--smoke] [--output json]`
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { printReport } from './print-report.ts';
import { type Agreement, measureAgreement, type WriteFinding } from './sql-core/agreement.ts';
import { askSqlglot } from './sql-core/ask-sqlglot.ts';
import { type CoreBenchOptions, readCoreOptions } from './sql-core/core-options.ts';
import { compareTimes, timeOurs, timeTheirs } from './sql-core/measure-time.ts';
import { OUR_CORE, OUR_MODULE } from './sql-core/our-references.ts';
import type { QuerySet } from './sql-core/query-set.ts';
import { readQueries, type SetName } from './sql-core/read-queries.ts';
import { describeDifferences, rowOf } from './sql-core/show-agreement.ts';
import {
  prepareSqlglot,
  SQLGLOT_VERSION,
  type SqlglotEnvironment,
  SqlglotMissingError,
} from './sql-core/sqlglot-environment.ts';

const SEED = 30;
/** Models wrote tens of thousands of queries; a sample says the same in a minute. */
const PREDICTION_LIMIT = 5_000;
const TIMED = { 'bird-dev': 500, 'spider-dev': 300 } as const;
const SMOKE_TIMED = 10;
const REPORT = fileURLToPath(new URL('../out/sql-core-agreement.jsonl', import.meta.url));

const options = readCoreOptions();
const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
try {
  await runBench(options);
} catch (error) {
  if (error instanceof SqlglotMissingError) stopWith(error.message);
  else if (error instanceof CandorError && error.code === 'eval.data-missing')
    stopWith(`${error.message}\n  → ${error.next}`);
  else throw error;
}

async function runBench(given: CoreBenchOptions): Promise<void> {
  const { write, close } = openReport();
  let environment: SqlglotEnvironment | undefined;
  const measured: { readonly name: SetName; readonly set: QuerySet; readonly agreement: Agreement }[] = [];
  for (const name of given.sets) {
    const set = await readSet(name, limitOf(name, given));
    if (set === undefined) continue;
    environment ??= await prepareSqlglot('python', tell);
    tell(`${name}: ${set.queries.length.toLocaleString('en')} queries`);
    const answers = askSqlglot(name, set, environment, (line) => tell(`${name}: SQLGlot ${line}`));
    measured.push({ name, set, agreement: await measureAgreement(set, answers, OUR_CORE, write) });
  }
  await close();
  if (environment === undefined) return stopWith('none of the sets is here.');

  const agreements = measured.map(({ agreement }) => agreement);
  for (const line of describeDifferences(agreements)) tell(line);
  tell(`every disagreement: ${REPORT}`);
  const figures = given.isTimed ? await measureTimes(environment, given) : {};
  printReport(
    {
      bench: 'sql-core',
      about: `our SQL core and SQLGlot ${SQLGLOT_VERSION} on the same queries, each different query once; shares in percent`,
      rows: measured.map(({ name, set, agreement }) => rowOf(name, set.queries[0]?.dialect ?? '', agreement)),
      figures,
    },
    given,
  );
}

function limitOf(name: SetName, { limit }: CoreBenchOptions): number {
  return limit ?? (name.startsWith('preds-') ? PREDICTION_LIMIT : Number.POSITIVE_INFINITY);
}

/** A set that is not here is passed over aloud: the others are still worth measuring. */
async function readSet(name: SetName, limit: number): Promise<QuerySet | undefined> {
  try {
    return await readQueries(name, { dataDirectory, limit, seed: SEED });
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
    tell(`${name} is left out: ${error.message}\n  → ${error.next}`);
    return undefined;
  }
}

/** Both builds of SQLGlot, since its users may have either. */
async function measureTimes(
  environment: SqlglotEnvironment,
  given: CoreBenchOptions,
): Promise<Readonly<Record<string, number>>> {
  const set = await readTimedQueries(given);
  tell(`timing ${set.queries.length} queries`);
  const ours = timeOurs(set, OUR_CORE, OUR_MODULE);
  const compiled = await prepareCompiled();
  return {
    ...compareTimes(ours, await timeTheirs(set, environment, tell), 'Sqlglot'),
    ...(compiled === undefined
      ? {}
      : compareTimes(ours, await timeTheirs(set, compiled, tell), 'SqlglotCompiled')),
  };
}

async function readTimedQueries({ isSmoke }: CoreBenchOptions): Promise<QuerySet> {
  const sets = await Promise.all(
    (Object.keys(TIMED) as (keyof typeof TIMED)[]).map((name) =>
      readQueries(name, { dataDirectory, limit: isSmoke ? SMOKE_TIMED : TIMED[name], seed: SEED }),
    ),
  );
  return { queries: sets.flatMap((set) => set.queries), schemas: sets.flatMap((set) => set.schemas) };
}

async function prepareCompiled(): Promise<SqlglotEnvironment | undefined> {
  try {
    return await prepareSqlglot('compiled', tell);
  } catch (error) {
    if (!(error instanceof SqlglotMissingError)) throw error;
    tell(`the compiled SQLGlot is left out: ${error.message}`);
    return undefined;
  }
}

function openReport(): { readonly write: WriteFinding; readonly close: () => Promise<void> } {
  mkdirSync(dirname(REPORT), { recursive: true });
  const stream = createWriteStream(REPORT);
  return {
    write: (finding) => stream.write(`${JSON.stringify(finding)}\n`),
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}

function tell(line: string): void {
  process.stderr.write(`sql-core: ${line}\n`);
}

function stopWith(reason: string): void {
  tell(`nothing was measured. ${reason}`);
  process.exitCode = 3;
}
