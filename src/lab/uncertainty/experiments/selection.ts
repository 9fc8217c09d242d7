/** Which of several candidates is run: the least risky one, or the one that most agree on. */
import { bootstrapMean, type Interval } from '../../metrics/intervals.ts';

export interface Choice {
  readonly question: string;
  readonly candidates: readonly ChoiceCandidate[];
}

export interface ChoiceCandidate {
  readonly isRight: boolean;
  /** Any number: the least is picked. */
  readonly risk: number;
  readonly text: string;
  /** Equal for candidates of one canonical form. */
  readonly form: string;
  /** How many wrote it. */
  readonly times: number;
}

/** Accuracies in percent. */
export interface SelectionFigures {
  readonly questions: number;
  readonly mean: number;
  readonly oracle: number;
  readonly textMajority: number;
  readonly formMajority: number;
  readonly pick: number;
  /** Of the pick over each majority, by question, in points. */
  readonly overText: Gain;
  readonly overForm: Gain;
}

export interface Gain extends Interval {
  readonly points: number;
}

export function selectionFigures(choices: readonly Choice[]): SelectionFigures {
  const picks = choices.map(({ candidates }) => rightOf(leastRisky(candidates)));
  const texts = choices.map(({ candidates }) => rightOf(majority(candidates, ({ text }) => text)));
  const forms = choices.map(({ candidates }) => rightOf(majority(candidates, ({ form }) => form)));
  return {
    questions: choices.length,
    mean: percent(choices.map(({ candidates }) => rightOf(candidates, ({ times }) => times))),
    oracle: percent(choices.map(({ candidates }) => Number(candidates.some(({ isRight }) => isRight)))),
    textMajority: percent(texts),
    formMajority: percent(forms),
    pick: percent(picks),
    overText: gain(picks, texts),
    overForm: gain(picks, forms),
  };
}

function leastRisky(candidates: readonly ChoiceCandidate[]): readonly ChoiceCandidate[] {
  const least = Math.min(...candidates.map(({ risk }) => risk));
  return candidates.filter(({ risk }) => risk === least);
}

/** Of the largest group; all of the largest where several are. */
function majority(
  candidates: readonly ChoiceCandidate[],
  keyOf: (candidate: ChoiceCandidate) => string,
): readonly ChoiceCandidate[] {
  const counts = new Map<string, number>();
  for (const candidate of candidates)
    counts.set(keyOf(candidate), (counts.get(keyOf(candidate)) ?? 0) + candidate.times);
  const most = Math.max(...counts.values());
  const groups = [...counts].flatMap(([key, count]) => (count === most ? [key] : []));
  // Of each group the text that most wrote is run.
  return groups.flatMap((key) => {
    const members = candidates.filter((candidate) => keyOf(candidate) === key);
    return members.toSorted((one, other) => other.times - one.times).slice(0, 1);
  });
}

/** The chance that a candidate drawn by weight is right. */
function rightOf(
  candidates: readonly ChoiceCandidate[],
  weightOf: (candidate: ChoiceCandidate) => number = () => 1,
): number {
  const total = candidates.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  const right = candidates.reduce((sum, one) => sum + (one.isRight ? weightOf(one) : 0), 0);
  return total === 0 ? 0 : right / total;
}

function percent(shares: readonly number[]): number {
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}

function gain(ours: readonly number[], theirs: readonly number[]): Gain {
  const differences = ours.map((own, at) => 100 * (own - (theirs[at] ?? 0)));
  return {
    points: differences.reduce((sum, one) => sum + one, 0) / differences.length,
    ...bootstrapMean(differences, { resamples: 2_000 }),
  };
}
