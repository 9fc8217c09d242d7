import { CandorError } from '../../errors.ts';
import type { TestCase } from './test-case.ts';

export interface TestSelection {
  /** Cases that bear one of these. */
  readonly tags: readonly string[];
  /** Text in the id or in what is asked, whatever its case. */
  readonly filter?: string;
}

/** The cases that are wanted; throws `test.nothing-selected` where there are none: a run of nothing would pass. */
export function selectTests(
  cases: readonly TestCase[],
  { tags, filter }: TestSelection,
): readonly TestCase[] {
  const wanted = filter?.toLowerCase();
  const kept = cases.filter(
    (tested) =>
      (tags.length === 0 || tags.some((tag) => tested.tags.includes(tag))) &&
      (wanted === undefined || textsOf(tested).some((text) => text.toLowerCase().includes(wanted))),
  );
  if (kept.length > 0) return kept;
  const known = [...new Set(cases.flatMap((tested) => tested.tags))].sort();
  const there = known.length === 0 ? 'no case has a tag' : `tags there are: ${known.join(', ')}`;
  throw new CandorError('test.nothing-selected', `None of the ${cases.length} cases is selected; ${there}.`);
}

function textsOf({ id, turns }: TestCase): readonly string[] {
  return [id, ...turns.map(({ says }) => says.text)];
}
