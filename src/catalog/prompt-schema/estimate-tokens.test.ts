import { expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

it.each<[string, string, number]>([
  ['10,000 characters (ThothAI, section 9)', 'x'.repeat(10_000), 2_500],
  ['60,000 characters (ThothAI, section 9)', 'x'.repeat(60_000), 15_000],
  ['nothing', '', 0],
  ['less than a token', 'abc', 0],
  ['letters with accents, which are Latin', 'éüñß'.repeat(10), 10],
  ['Greek', 'λ'.repeat(35), 10],
  ['Chinese among English', `${'語'.repeat(7)}${'a'.repeat(8)}`, 4],
  ['signs, which belong to no script', '【】'.repeat(4), 2],
])('estimates %s', (_, text, tokens) => expect(estimateTokens(text)).toBe(tokens));
