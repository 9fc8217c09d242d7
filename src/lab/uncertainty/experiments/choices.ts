/** Questions with the candidates that selection picks among, and the risk of each. */
import type { PredictionSet } from '../data/prediction-set.ts';
import type { ScoredQueries } from '../training/train-uncertainty.ts';
import type { WrittenChoice } from './rank-choices.ts';
import type { Choice } from './selection.ts';
import { FIVE_PROMPTS } from './setups.ts';

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
