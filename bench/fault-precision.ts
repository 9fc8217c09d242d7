/**
 * How often a query with a certain fault is wrong: of what real systems predicted for BIRD dev and Spider dev, judged by rows.
 * A question whose gold query misspells a stored value says nothing of that fault: both find nothing, and count as equal. What the engine
 * refuses is not counted: it is wrong by itself. `src/uncertainty/policy/fault-precision.ts` holds the figures.
 * `npx tsx bench/fault-precision.ts [--smoke] [--output json]`
 */
import { readTerminalEnvironment } from '../src/config/index.ts';
import { certainFaults, prepareSchemaFacts, type SchemaFacts } from '../src/faults/index.ts';
import { readQuery } from '../src/faults/reading/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import type { LinkDatabase } from '../src/lab/linking/index.ts';
import { type PredictedQuestion, readPredictionSet } from '../src/lab/uncertainty/data/prediction-set.ts';
import { readStoredValues } from '../src/lab/uncertainty/data/read-rows.ts';
import { countedAs } from '../src/uncertainty/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

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
    countFaults(name, question, known);
  }
}
printReport(
  {
    bench: 'fault-precision',
    about: 'of queries with a fault that runs, those whose rows are wrong',
    rows: [...counts].map(([fault, { wrong, of, questions }]) => ({
      fault,
      wrong,
      of,
      questions: questions.size,
      percentWrong: (100 * wrong) / of,
    })),
    figures: {},
  },
  options,
);

async function factsOf(database: LinkDatabase): Promise<SchemaFacts> {
  const stored = await readStoredValues(database);
  return prepareSchemaFacts(database.catalog, stored === undefined ? {} : { stored });
}

function countFaults(set: string, { id, goldSql, predictions }: PredictedQuestion, facts: SchemaFacts): void {
  const isGoldMisspelt = kindsIn(goldSql, facts).includes('misspelt-literal');
  for (const { sql, isRight } of predictions) {
    const kinds = isRight === undefined ? [] : kindsIn(sql, facts);
    for (const kind of kinds) {
      if (isGoldMisspelt && kind === 'misspelt-literal') continue;
      const count = counts.get(kind) ?? { wrong: 0, of: 0, questions: new Set() };
      counts.set(kind, count);
      count.of += 1;
      if (isRight === false) count.wrong += 1;
      count.questions.add(`${set} ${id}`);
    }
  }
}

/** None where the engine refuses the query. */
function kindsIn(sql: string, facts: SchemaFacts): readonly string[] {
  const read = readQuery(sql, facts.catalog.dialect, facts.catalog);
  const faults = read.ok ? certainFaults(read.query, facts) : [];
  return faults.some(({ isRefused }) => isRefused) ? [] : [...new Set(faults.map(countedAs))];
}
