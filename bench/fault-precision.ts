/**
 * How often a query with a certain fault is wrong: of what real systems predicted for BIRD dev and Spider dev, judged by rows. The checks
 * were written with the open databases and the even questions in view; apart stand the three databases of BIRD that nothing is tuned on
 * and the odd questions of Spider dev, and it is their share that decides. A question whose gold query misspells a stored value says nothing
 * of that fault: both find nothing, and count as equal. What the engine refuses is counted by its kind.
 * `src/uncertainty/policy/fault-precision.ts` holds the figures.
 * `npx tsx bench/fault-precision.ts [--smoke] [--output json]`
 */
import { readTerminalEnvironment } from '../src/config/index.ts';
import { certainFaults, prepareSchemaFacts, type SchemaFacts } from '../src/faults/index.ts';
import { readQuery } from '../src/faults/reading/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import type { LinkDatabase } from '../src/lab/linking/index.ts';
import { wilsonInterval } from '../src/lab/metrics/intervals.ts';
import { type PredictedQuestion, readPredictionSet } from '../src/lab/uncertainty/data/prediction-set.ts';
import { readStoredValues } from '../src/lab/uncertainty/data/read-rows.ts';
import { countedAs } from '../src/uncertainty/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

const TEST_DATABASES: ReadonlySet<string> = new Set(['california_schools', 'card_games', 'toxicology']);

interface Count {
  wrong: number;
  of: number;
  readonly questions: Set<string>;
}

const options = readBenchOptions(process.argv.slice(2));
const step = options.isSmoke ? 151 : 1;
const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
const counts = new Map<string, Count>();
for (const name of ['bird', 'spider'] as const) {
  const set = await readPredictionSet(name, dataDirectory);
  const facts = new Map<string, SchemaFacts>();
  for (const question of set.questions.filter((_, at) => at % step === 0)) {
    const found = set.databases.get(question.database);
    if (found === undefined) continue;
    const known = facts.get(question.database) ?? (await factsOf(found));
    facts.set(question.database, known);
    countFaults(isApart(name, question), question, known);
  }
}
printReport(
  {
    bench: 'fault-precision',
    about: 'of queries with a fault that runs, those whose rows are wrong',
    rows: [...counts].sort().map(([key, { wrong, of, questions }]) => {
      const [part = '', fault = ''] = key.split('|');
      const { low, high } = wilsonInterval(wrong, of);
      const percent = (share: number): number => Math.round(1000 * share) / 10;
      return {
        ...{ part, fault, wrong, of, questions: questions.size },
        ...{ percentWrong: percent(wrong / of), low: percent(low), high: percent(high) },
      };
    }),
    figures: {},
  },
  options,
);

async function factsOf(database: LinkDatabase): Promise<SchemaFacts> {
  const stored = await readStoredValues(database);
  return prepareSchemaFacts(database.catalog, stored === undefined ? {} : { stored });
}

/** Never looked at while a check was written. */
function isApart(set: 'bird' | 'spider', { database, id }: PredictedQuestion): string {
  if (set === 'bird') return TEST_DATABASES.has(database) ? 'apart' : 'seen';
  return Number(/\d+/.exec(id)?.[0] ?? 0) % 2 === 1 ? 'apart' : 'seen';
}

function countFaults(
  part: string,
  { id, goldSql, predictions }: PredictedQuestion,
  facts: SchemaFacts,
): void {
  const isGoldMisspelt = kindsIn(goldSql, facts).includes('misspelt-literal');
  for (const { sql, isRight } of predictions) {
    const kinds = isRight === undefined ? [] : kindsIn(sql, facts);
    for (const kind of kinds) {
      if (isGoldMisspelt && kind === 'misspelt-literal') continue;
      const key = `${part}|${kind}`;
      const count = counts.get(key) ?? { wrong: 0, of: 0, questions: new Set() };
      counts.set(key, count);
      count.of += 1;
      if (isRight === false) count.wrong += 1;
      count.questions.add(id);
    }
  }
}

/** Where the engine refuses the query, by that alone. */
function kindsIn(sql: string, facts: SchemaFacts): readonly string[] {
  const read = readQuery(sql, facts.catalog.dialect, facts.catalog);
  const faults = read.ok ? certainFaults(read.query, facts) : [];
  const refused = faults.filter(({ isRefused }) => isRefused);
  if (refused.length > 0) return [...new Set(refused.map(({ kind }) => `refused: ${kind}`))];
  return [...new Set(faults.map(countedAs))];
}
