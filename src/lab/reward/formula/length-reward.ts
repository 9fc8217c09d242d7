/** Longest output, in tokens, and the part before it in which the penalty grows (DAPO's soft overlong punishment). */
export const LONGEST_TOKENS = 2048;
export const BUFFER_TOKENS = 409;

/**
 * R_len of BAR-SQL: 0 up to 1639 tokens, falling to −1 at 2048 and staying there. The published code lets it fall on
 * (`isClamped: false`).
 */
export function lengthReward(tokens: number, { isClamped = true } = {}): number {
  const free = LONGEST_TOKENS - BUFFER_TOKENS;
  if (tokens <= free) return 0;
  const penalty = (free - tokens) / BUFFER_TOKENS;
  return isClamped ? Math.max(-1, penalty) : penalty;
}
