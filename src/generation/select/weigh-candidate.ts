import type { SelectionCandidate, SelectionOptions } from './selection-candidate.ts';

export type VoiceWeights = Required<Pick<SelectionOptions, 'emptyWeight' | 'doubtWeight'>>;

/** Whether a result says nothing: no rows, or NULLs alone. */
export function isEmptyResult({ outcome }: SelectionCandidate): boolean {
  return outcome.kind === 'rows' && outcome.result.rows.every((row) => row.every((cell) => cell === null));
}

/** How much the voice of a sound candidate counts. Emptiness costs only beside candidates that show something. */
export function weighCandidate(
  candidate: SelectionCandidate,
  { emptyWeight, doubtWeight }: VoiceWeights,
  areAllEmpty: boolean,
): number {
  const { weight = 1, doubts = [] } = candidate;
  const forEmpty = !areAllEmpty && isEmptyResult(candidate) ? emptyWeight : 1;
  return weight * forEmpty * (doubts.length > 0 ? doubtWeight : 1);
}
