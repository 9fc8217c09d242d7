/** Which set-ups are judged, and beside which others. */
import { chooseSetups, readPredictions } from '../../linking/replay-set.ts';
import type { Planned, ReadCandidate } from '../data/read-rows.ts';

/** Five ways of asking one 7B model, one answer each: nearest to four more samples of the same model. */
export const FIVE_PROMPTS = ['Base', 'Rule', 'CoT', 'Agent', 'SketchRetriever'].map(
  (prompt) => `artessay:${prompt}/VanillaLinker|Qwen/Qwen2.5-Coder-7B-Instruct`,
);

/** Five answers each of three larger models: other writers' errors to learn from, never measured on. */
export const OTHER_FAMILIES: readonly (readonly string[])[] = [
  answersOf('Qwen/Qwen2-72B-Instruct', [
    ...['Base', 'Vote', 'CoT', 'Rule'].map((prompt) => `${prompt}/VanillaLinker`),
    'Base/SchemaInfo',
  ]),
  ...['Qwen/plus', 'openai/gpt-4o'].map((model) =>
    answersOf(
      model,
      ['Base', 'Agent', 'HeroD', 'HeroL', 'HeroS'].map((prompt) => `${prompt}/VanillaLinker`),
    ),
  ),
];

function answersOf(model: string, prompts: readonly string[]): readonly string[] {
  return prompts.map((prompt) => `artessay:${prompt}|${model}`);
}

/** The plain prompt: nearest to the model of the paper. */
export const BASE = FIVE_PROMPTS[0] ?? '';

/** Eight set-ups of other systems and models, each of another. */
export async function eightSetups(dataDirectory: string): Promise<readonly string[]> {
  return chooseSetups((await readPredictions(dataDirectory)).setups, 8);
}

/** The first prediction of every set-up, each beside those of the others. */
export function besideEachOther(
  setups: readonly string[],
): (candidates: readonly ReadCandidate[]) => readonly Planned[] {
  return (candidates) => {
    const first = setups.map((setup) =>
      candidates.find(({ prediction }) => prediction.setups.includes(setup)),
    );
    return first.flatMap((candidate, at): Planned[] => {
      if (candidate === undefined) return [];
      const others = first.flatMap((other, place) => (other && place !== at ? [other.query] : []));
      return [{ candidate, others, tag: setups[at] ?? '' }];
    });
  };
}

/** The five prompts' answers, each beside those of other set-ups. */
export function besideSetups(
  setups: readonly string[],
): (candidates: readonly ReadCandidate[]) => readonly Planned[] {
  return (candidates) => {
    const by = (setup: string): ReadCandidate | undefined =>
      candidates.find(({ prediction }) => prediction.setups.includes(setup));
    const others = setups.flatMap((setup) => by(setup)?.query ?? []);
    return FIVE_PROMPTS.flatMap((tag): Planned[] => {
      const candidate = by(tag);
      return candidate === undefined ? [] : [{ candidate, others, tag }];
    });
  };
}

/** Every prediction that is known to be right or wrong, beside one query for each other set-up. */
export function besideAll(candidates: readonly ReadCandidate[]): readonly Planned[] {
  const known = candidates.filter(({ prediction }) => prediction.isRight !== undefined);
  return known.map((candidate, at) => ({
    candidate,
    others: known.flatMap(({ query, prediction }, place) => {
      const times = prediction.setups.length - (place === at ? 1 : 0);
      return new Array<typeof query>(times).fill(query);
    }),
    tag: String(candidate.prediction.setups.length),
  }));
}
