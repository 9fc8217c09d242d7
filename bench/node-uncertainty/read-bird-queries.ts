import { prepareSchemaFacts } from '../../src/faults/index.ts';
import { readQuery } from '../../src/faults/reading/index.ts';
import { TEST_DATABASES } from '../../src/lab/linking/replay-set.ts';
import { readPredictionSet } from '../../src/lab/uncertainty/data/prediction-set.ts';
import { prepareLinking } from '../../src/linking/index.ts';
import { formSchemaOpinion } from '../../src/reasoning/grounded/linking/index.ts';
import { parse } from '../../src/sql/index.ts';
import { labelFacts, labelNodes } from '../../src/uncertainty/index.ts';
import type { JudgedQuery } from './judged-query.ts';

const OTHERS = 8;

/**
 * One predicted query, labelled by the gold, for each of so many questions of BIRD dev, spread over the open databases, beside up to eight other
 * predictions. Throws `eval.data-missing`.
 */
export async function readBirdQueries(dataDirectory: string, count: number): Promise<readonly JudgedQuery[]> {
  const { databases, questions } = await readPredictionSet('bird', dataDirectory);
  const open = questions.filter(({ database }) => !TEST_DATABASES.has(database));
  const step = Math.max(1, Math.floor(open.length / count));
  const judged: JudgedQuery[] = [];
  const prepared = new Map<string, Awaited<ReturnType<typeof prepareDatabase>>>();
  for (const { database, question, hint, goldSql, predictions } of open.filter((_, at) => at % step === 0)) {
    const catalog = databases.get(database)?.catalog;
    if (catalog === undefined) continue;
    const own = prepared.get(database) ?? (await prepareDatabase(catalog));
    prepared.set(database, own);
    const { linking, facts } = own;
    const gold = parse(goldSql, catalog.dialect);
    const read = predictions.flatMap(({ sql }) => {
      const one = readQuery(sql, catalog.dialect, catalog);
      return one.ok ? [one.query] : [];
    });
    const [first, ...rest] = read;
    const labels = first && gold.ok && labelNodes(first.tree, gold.tree, {}, own.labels);
    if (!labels) continue;
    const opinion = formSchemaOpinion({ question, hint }, linking.linker, linking.forests);
    const others = rest.slice(0, OTHERS);
    judged.push({
      sql: first.tree.text,
      question,
      hint: hint ?? '',
      catalog,
      facts,
      opinion,
      others,
      labels,
    });
  }
  return judged;
}

async function prepareDatabase(catalog: JudgedQuery['catalog']) {
  return {
    linking: await prepareLinking(catalog),
    facts: prepareSchemaFacts(catalog),
    labels: labelFacts(catalog),
  };
}
