/** Folds for cross-validation in which near wordings stay together, so that what is held out is new. */
import { maskedWords } from '../../boundary/index.ts';
import type { LabelledQuestion } from './labelled-question.ts';

/** From this share of common words on two wordings are near. What cannot be answered is rarer, and held out more widely. */
const NEAR = { answerable: 0.7, beyond: 0.4 } as const;

/** For each question the number of its fold, from 0; groups of near wordings are dealt out, the largest first. */
export function dealFolds(
  questions: readonly LabelledQuestion[],
  folds: number,
  isCommon: (word: string) => boolean,
): readonly number[] {
  const deal = new Array<number>(questions.length).fill(0);
  for (const isAnswerable of [true, false]) {
    const places = questions.flatMap((each, at) => (each.isAnswerable === isAnswerable ? [at] : []));
    const words = places.map((at) => new Set(maskedWords(questions[at]?.question ?? '', isCommon)));
    const groups = groupNear(words, isAnswerable ? NEAR.answerable : NEAR.beyond);
    groups
      .sort((a, b) => b.length - a.length)
      .forEach((group, turn) => {
        for (const member of group) deal[places[member] ?? 0] = turn % folds;
      });
  }
  return deal;
}

/** Groups by single links: two sets belong together where so large a share of their words is in both. */
function groupNear(sets: readonly ReadonlySet<string>[], near: number): number[][] {
  const parents = sets.map((_, at) => at);
  const find = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  for (const [at, left] of sets.entries())
    for (const [other, right] of sets.entries()) {
      if (other >= at) break;
      if (find(at) !== find(other) && likeness(left, right) >= near) parents[find(at)] = find(other);
    }
  const groups = new Map<number, number[]>();
  for (const at of sets.keys()) {
    const group = groups.get(find(at));
    if (group === undefined) groups.set(find(at), [at]);
    else group.push(at);
  }
  return [...groups.values()];
}

/** Jaccard. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared || 1);
}
