import { checkLabelledRows, checkLength } from '../../uncertainty/index.ts';

/**
 * The baseline beside every figure over all nodes: scores that know a node's type and nothing else, namely the share of
 * errors that the type had among training rows. One row of the overall share is imagined for every type, which is also
 * what a type gets that training never met.
 */
export function typeOnlyScores(
  types: ArrayLike<string>,
  trained: { readonly types: ArrayLike<string>; readonly labels: ArrayLike<number> },
): Float64Array {
  checkLabelledRows({ scores: new Float64Array(trained.types.length), labels: trained.labels });
  checkLength('labels', trained.labels.length, trained.types.length);
  const counts = new Map<string, { rows: number; wrong: number }>();
  let wrongAll = 0;
  for (let row = 0; row < trained.types.length; row++) {
    const type = trained.types[row]!;
    const label = trained.labels[row]!;
    const known = counts.get(type) ?? { rows: 0, wrong: 0 };
    counts.set(type, { rows: known.rows + 1, wrong: known.wrong + label });
    wrongAll += label;
  }
  const overall = trained.types.length === 0 ? 0 : wrongAll / trained.types.length;
  return Float64Array.from(types, (type) => {
    const { rows, wrong } = counts.get(type) ?? { rows: 0, wrong: 0 };
    return (wrong + overall) / (rows + 1);
  });
}
