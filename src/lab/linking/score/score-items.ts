/** How good one linked schema is (EviLink, appendix B, equations 8 to 11). */

export interface ItemScore {
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
  /** 1 when every gold item was linked, else 0. */
  readonly strict: 0 | 1;
}

/**
 * Gold against linked ids; zero denominators give 0. A question without gold items is not scored at all: leave it out.
 * `scoreItems(new Set(['a', 'b']), new Set(['a']))` → `{ recall: 0.5, precision: 1, f1: 0.667, strict: 0 }`
 */
export function scoreItems(gold: ReadonlySet<string>, linked: ReadonlySet<string>): ItemScore {
  const hits = [...gold].filter((id) => linked.has(id)).length;
  const recall = gold.size === 0 ? 0 : hits / gold.size;
  const precision = linked.size === 0 ? 0 : hits / linked.size;
  const sum = precision + recall;
  return {
    recall,
    precision,
    f1: sum === 0 ? 0 : (2 * precision * recall) / sum,
    strict: gold.size > 0 && hits === gold.size ? 1 : 0,
  };
}
