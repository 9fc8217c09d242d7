/**
 * What checks and repairs without a model do for queries that real systems predicted for Spider dev and BIRD dev: of
 * those that SQLite refuses for a name, how many we find (recall), of those we report, how many it refuses (precision),
 * how many a repair makes executable, and how many of these answer the question; for the others, how many queries are
 * offered for, and whether the first or any of them answers it. Halves by the index of the question;
 * rules were made on the even half alone, and never on the three test-only databases. `right` is of repaired queries
 * on databases with rows: Spider's, three of BIRD, and questions of two more on proxies. Figures say how often each
 * kind of problem is found in gold queries, where hardly any should be, and each kind of change in a repair.
 * With `--gold` only that of the gold queries, each printed with what is found in it, in a few minutes.
 * `npx tsx bench/failing-predictions.ts [--smoke] [--gold] [--output json]`
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { certainFaults, offerRepairs, repairSql } from '../src/faults/index.ts';
import { readQuery } from '../src/faults/reading/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { TEST_DATABASES } from '../src/lab/linking/replay-set.ts';
import { type PredictedQuestion, readPredictionSet } from '../src/lab/uncertainty/data/prediction-set.ts';
import { diagnoseSql } from '../src/validation/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { Judge } from './failing-predictions/judge.ts';
import { refusedName } from './failing-predictions/open-planner.ts';
import {
  openPredicted,
  type PredictedDatabase,
  proxyFile,
} from './failing-predictions/predicted-database.ts';
import { Tally } from './failing-predictions/tally.ts';
import { printReport } from './print-report.ts';

const NAMES: ReadonlySet<string> = new Set(['unknown-table', 'unknown-column', 'ambiguous-column']);
const given = process.argv.slice(2);
const isGoldOnly = given.includes('--gold');
const options = readBenchOptions(given.filter((option) => option !== '--gold'));
/** Every so-manieth question; odd, so that both halves are kept. */
const step = options.isSmoke ? 151 : 1;
const figures: Record<string, number> = {};
const count = (name: string, by = 1): void => {
  figures[name] = (figures[name] ?? 0) + by;
};

try {
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const rows = [];
  for (const set of ['spider', 'bird'] as const) {
    const tallies = await measureSet(set, dataDirectory);
    if (!isGoldOnly) for (const [part, tally] of tallies) rows.push(tally.row(`${set}, ${part}`));
  }
  printReport(
    {
      bench: 'failing-predictions',
      about: 'shares in percent; ms a prediction for its check, and a refused one for its repair',
      rows,
      figures: Object.fromEntries(Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`failing-predictions: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function measureSet(
  set: 'spider' | 'bird',
  dataDirectory: string,
): Promise<ReadonlyMap<string, Tally>> {
  const { databases, questions } = await readPredictionSet(set, dataDirectory);
  const onProxy = await readProxyQuestions(dataDirectory);
  const opened = new Map<string, PredictedDatabase>();
  const tallies = new Map<string, Tally>();
  const judge = new Judge(set);
  for (const [at, question] of questions.entries()) {
    if (at % step !== 0) continue;
    const described = databases.get(question.database);
    if (described === undefined) continue;
    const database = opened.get(question.database) ?? (await openPredicted(described));
    opened.set(question.database, database);
    const part = TEST_DATABASES.has(question.database) ? 'test-only' : at % 2 === 0 ? 'even' : 'odd';
    const tally = tallies.get(part) ?? new Tally();
    tallies.set(part, tally);
    const proxy = onProxy.has(`${set} ${question.id}`)
      ? `sqlite:${proxyFile(dataDirectory, question.database)}`
      : undefined;
    const url = database.databaseUrl ?? proxy;
    for (const { sql } of isGoldOnly ? [] : question.predictions)
      await measure(sql, { question, database, tally, judge, url });
    await countOnGold(set, question, database);
  }
  for (const { planner } of opened.values()) planner.close();
  await judge.close();
  return tallies;
}

async function readProxyQuestions(dataDirectory: string): Promise<ReadonlySet<string>> {
  const file = join(dataDirectory, 'bird', 'databases_proxy', 'qids_validated_ge95pct_agreement.json');
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return new Set();
  const ids: unknown = JSON.parse(await readFile(file, 'utf8'));
  return new Set(Array.isArray(ids) ? ids.map((id) => `bird ${id}`) : []);
}

interface Measured {
  readonly question: PredictedQuestion;
  readonly database: PredictedDatabase;
  readonly tally: Tally;
  readonly judge: Judge;
  /** Where it can be run. */
  readonly url: string | undefined;
}

async function measure(sql: string, { question, database, tally, judge, url }: Measured): Promise<void> {
  const { catalog, schema, planner } = database;
  const refusal = planner.refusal(sql);
  const name = refusal === undefined ? undefined : refusedName(refusal);
  const from = performance.now();
  const read = readQuery(sql, 'sqlite', catalog);
  const ours = read.ok ? certainFaults(read.query, schema).filter(({ kind }) => NAMES.has(kind)) : [];
  tally.checkMs += performance.now() - from;
  tally.predictions += 1;
  if (refusal === undefined && ours.length > 0) tally.falseAlarms += 1;
  if (refusal === undefined || name === undefined) return;
  tally.refused += 1;
  if (ours.length > 0) tally.found += 1;
  const last = bare(name.split('.').at(-1) ?? name);
  const isSame = ours.some(({ span }) => {
    const written = sql.slice(span.start, span.end);
    return (
      bare(name) === bare(written) || bare(written) === last || bare(name).startsWith(`${bare(written)}.`)
    );
  });
  if (isSame) tally.sameName += 1;
  const start = performance.now();
  const repair = repairSql(sql, schema, { engineError: refusal });
  tally.repairMs += performance.now() - start;
  if (repair === undefined || planner.refusal(repair.sql) !== undefined) {
    await measureOffers(sql, refusal, { question, database, tally, judge, url });
    return;
  }
  tally.executable += 1;
  const isRight = url === undefined ? undefined : await judge.isRight(repair.sql, question, url);
  if (isRight !== undefined) tally.judged += 1;
  if (isRight === true) tally.right += 1;
  for (const kind of new Set(repair.changes.map((change) => change.kind))) {
    count(`repair ${kind}: executable`);
    if (isRight !== undefined) count(`repair ${kind}: judged`);
    if (isRight !== undefined) count(`repair ${kind}: right`, isRight ? 1 : 0);
  }
}

/** What would have to be guessed, as far as the engine would run it. */
async function measureOffers(
  sql: string,
  engineError: string,
  { question, database: { schema, planner }, tally, judge, url }: Measured,
): Promise<void> {
  const offers = offerRepairs(sql, schema, { engineError }).filter(
    (offer) => planner.refusal(offer.sql) === undefined,
  );
  if (offers.length === 0) return;
  tally.offered += 1;
  tally.offers += offers.length;
  if (url === undefined) return;
  const rights: (boolean | undefined)[] = [];
  for (const offer of offers) rights.push(await judge.isRight(offer.sql, question, url));
  if (rights[0] === undefined) return;
  tally.offersJudged += 1;
  if (rights[0]) tally.firstRight += 1;
  if (rights.includes(true)) tally.anyRight += 1;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[`"[\]]/g, '');
}

async function countOnGold(
  set: string,
  { goldSql }: PredictedQuestion,
  { schema }: PredictedDatabase,
): Promise<void> {
  count(`gold ${set}: queries`);
  const { problems } = await diagnoseSql(goldSql, { schema });
  for (const kind of new Set(problems.map((problem) => problem.kind))) count(`gold ${set}: ${kind}`);
  for (const p of problems) process.stderr.write(`${set} ${p.kind} ${p.text} | ${goldSql}\n`);
}
