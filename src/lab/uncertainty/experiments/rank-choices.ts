/**
 * Candidates of a question beside each other: risk, agreement and who wrote them, learned on other databases. An ensemble,
 * since it knows how often each set-up was right there.
 */
import { makeScorer, type TreeScorer, trainTrees } from '../../../boosting/index.ts';
import { TEST_DATABASES } from '../../linking/replay-set.ts';
import type { PredictionSet } from '../data/prediction-set.ts';
import type { ScoredQueries } from '../training/train-uncertainty.ts';
import type { Choice, ChoiceCandidate } from './selection.ts';
import { FIVE_PROMPTS } from './setups.ts';

interface WrittenChoice extends Choice {
  readonly database: string;
  readonly candidates: readonly WrittenCandidate[];
}

export interface WrittenCandidate extends ChoiceCandidate {
  readonly setups: readonly string[];
}

/** The same choices with another risk: open databases are ranked by what was learned on the other open ones. */
export async function rankChoices(choices: readonly WrittenChoice[]): Promise<readonly Choice[]> {
  const open = choices.filter(({ database }) => !TEST_DATABASES.has(database));
  const ranked: Choice[] = [];
  for (const database of new Set(choices.map((choice) => choice.database))) {
    const learned = open.filter((choice) => choice.database !== database);
    const trust = trustOf(learned);
    const scorer = await fitRanking(learned, trust);
    for (const choice of choices) {
      if (choice.database !== database) continue;
      const rows = rowsOf(choice, trust);
      const candidates = choice.candidates.map((candidate, at) => ({
        ...candidate,
        risk: -scorer.score(rows[at] ?? []),
      }));
      ranked.push({ ...choice, candidates });
    }
  }
  return ranked;
}

/** Questions that a set-up is thought to have answered before, as often right as all of them. */
const PRIOR_ANSWERS = 20;

/** By set-up, how often it was right. */
function trustOf(choices: readonly WrittenChoice[]): ReadonlyMap<string, number> {
  const counts = new Map<string, { right: number; all: number }>();
  const total = { right: 0, all: 0 };
  for (const { isRight, setups } of choices.flatMap(({ candidates }) => candidates))
    for (const setup of setups) {
      const known = counts.get(setup) ?? { right: 0, all: 0 };
      counts.set(setup, known);
      for (const count of [known, total]) {
        count.all += 1;
        count.right += Number(isRight);
      }
    }
  const rate = total.right / Math.max(1, total.all);
  return new Map(
    [...counts].map(([setup, { right, all }]) => [
      setup,
      (right + PRIOR_ANSWERS * rate) / (all + PRIOR_ANSWERS),
    ]),
  );
}

const NAMES = [
  ...['risk', 'risk_over_least', 'share', 'share_below_most', 'trust', 'trust_below_most', 'best_writer'],
  ...['mean_writer', 'text_share', 'forms', 'writers'],
] as const;
const UNREAD_RISK = 12;

/** One row a candidate, in the order of `NAMES`. */
function rowsOf({ candidates }: WrittenChoice, trust: ReadonlyMap<string, number>): readonly number[][] {
  const trustIn = (setup: string): number => trust.get(setup) ?? 0.5;
  const forms = new Map<string, { times: number; trust: number; writers: number[] }>();
  const total = { times: 0, trust: 0 };
  for (const { form, setups } of candidates) {
    const known = forms.get(form) ?? { times: 0, trust: 0, writers: [] };
    forms.set(form, known);
    for (const setup of setups) {
      // A writer right nine times in ten says more than two that are right every other time.
      const weight = Math.max(0.05, trustIn(setup) / (1 - trustIn(setup)));
      known.writers.push(trustIn(setup));
      for (const sums of [known, total]) {
        sums.times += 1;
        sums.trust += weight;
      }
    }
  }
  const most = Math.max(...[...forms.values()].map(({ times }) => times)) / total.times;
  const mostTrust = Math.max(...[...forms.values()].map((form) => form.trust)) / total.trust;
  const risks = candidates.map(({ risk }) => Math.min(risk, UNREAD_RISK));
  const least = Math.min(...risks);
  return candidates.map(({ form, times }, at) => {
    const own = forms.get(form) ?? { times: 0, trust: 0, writers: [] };
    const [share, trusted, risk] = [own.times / total.times, own.trust / total.trust, risks[at] ?? 0];
    const mean = own.writers.reduce((sum, one) => sum + one, 0) / Math.max(1, own.writers.length);
    return [
      ...[risk, risk - least, share, most - share, trusted, mostTrust - trusted],
      ...[Math.max(0, ...own.writers), mean, times / total.times, forms.size, total.times],
    ];
  });
}

/** Questions that every candidate answers or none does teach nothing; every other question counts once. */
async function fitRanking(
  choices: readonly WrittenChoice[],
  trust: ReadonlyMap<string, number>,
): Promise<TreeScorer> {
  const mixed = choices.filter(
    ({ candidates }) => new Set(candidates.map(({ isRight }) => isRight)).size === 2,
  );
  const rows = mixed.flatMap((choice) => {
    const own = rowsOf(choice, trust);
    const { candidates } = choice;
    return candidates.map(({ isRight }, at) => ({
      row: own[at] ?? [],
      isRight,
      weight: 1 / candidates.length,
    }));
  });
  const scale = rows.length / mixed.length;
  const { model } = await trainTrees(
    {
      names: NAMES,
      rows: rows.length,
      features: NAMES.map((_, column) => Float32Array.from(rows, ({ row }) => row[column] ?? 0)),
      labels: Uint8Array.from(rows, ({ isRight }) => Number(isRight)),
      weights: Float64Array.from(rows, ({ weight }) => weight * scale),
    },
    { settings: { trees: 100, learningRate: 0.06, leaves: 8, minLeafRows: 100, l2: 10, bins: 63 } },
  );
  return makeScorer(model);
}

// Questions with the candidates that selection picks among, and the risk of each.

/** Questions where all five queries are known to be right or wrong; what cannot be read is never picked. */
export function fiveChoices(
  { questions }: PredictionSet,
  scored: readonly ScoredQueries[],
): readonly Choice[] {
  const read = new Map(
    scored.flatMap(({ queries, queryLogOdds }) =>
      queries.map((query, at) => [`${query.question} ${query.tag}`, { query, risk: queryLogOdds[at] ?? 0 }]),
    ),
  );
  return questions.flatMap(({ id, predictions }): Choice[] => {
    const candidates = FIVE_PROMPTS.flatMap((setup) => {
      const prediction = predictions.find(({ setups }) => setups.includes(setup));
      if (prediction?.isRight === undefined) return [];
      const { query, risk } = read.get(`${id} ${setup}`) ?? {};
      const { sql, isRight } = prediction;
      return [{ isRight, risk: risk ?? Number.MAX_VALUE, text: sql, form: query?.form ?? sql, times: 1 }];
    });
    return candidates.length === FIVE_PROMPTS.length ? [{ question: id, candidates }] : [];
  });
}

/** All questions with a candidate that is known to be right or wrong. */
export function allChoices(
  { questions }: PredictionSet,
  scored: readonly ScoredQueries[],
): readonly WrittenChoice[] {
  const risks = new Map(
    scored.flatMap(({ queries, queryLogOdds }) =>
      queries.map((query, at) => [
        `${query.question} ${query.sql}`,
        { form: query.form, risk: queryLogOdds[at] ?? 0 },
      ]),
    ),
  );
  return questions.flatMap(({ id, database, predictions }): WrittenChoice[] => {
    const candidates = predictions.flatMap(({ sql, isRight, setups }) => {
      if (isRight === undefined) return [];
      const { form, risk } = risks.get(`${id} ${sql}`) ?? {};
      return [
        {
          isRight,
          risk: risk ?? Number.MAX_VALUE,
          text: sql,
          form: form ?? sql,
          times: setups.length,
          setups,
        },
      ];
    });
    return candidates.length === 0 ? [] : [{ question: id, database, candidates }];
  });
}
