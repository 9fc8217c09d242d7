import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WordUse } from '../../web/src/api/contract.ts';
import { questionPieces } from '../../web/src/cards/question-pieces.ts';

const QUESTION = 'show orders in 2024, roughly';

function use(text: string, role: WordUse['role'], claim: WordUse['claim']): WordUse {
  const start = QUESTION.indexOf(text);
  return { span: { start, end: start + text.length }, text, role, claim };
}

const inQuery: WordUse['claim'] = { kind: 'query', sqlSpans: [{ start: 0, end: 6 }], why: 'a name' };
const byRule: WordUse['claim'] = { kind: 'rule', why: 'holds the sentence together' };
const unused: WordUse['claim'] = { kind: 'unused', why: 'nothing says it', isTelling: true };

const span = fc.record({ start: fc.integer({ min: -3, max: 40 }), end: fc.integer({ min: -3, max: 40 }) });
const anyUse = fc.record({
  span,
  text: fc.string(),
  role: fc.constantFrom('word' as const, 'reply' as const),
  claim: fc.constantFrom<WordUse['claim']>(inQuery, byRule, unused),
});

describe('questionPieces', () => {
  it('cuts at the words, and leaves those plain that only hold the sentence together', () => {
    const words = [
      use('show', 'reply', byRule),
      use('orders', 'word', inQuery),
      use('in', 'reply', byRule),
      use('2024', 'time', inQuery),
      use('roughly', 'word', unused),
    ];
    const cut = questionPieces(QUESTION, words).map((piece) => [piece.text, piece.use?.claim.kind]);
    expect(cut).toEqual([
      ['show ', undefined],
      ['orders', 'query'],
      [' in ', undefined],
      ['2024', 'query'],
      [', ', undefined],
      ['roughly', 'unused'],
    ]);
  });

  it('marks a word of the reply that is not used, and another word that a rule accounts for', () => {
    const words = [use('show', 'reply', unused), use('orders', 'word', byRule)];
    const marked = questionPieces(QUESTION, words).flatMap((piece) => piece.use?.text ?? []);
    expect(marked).toEqual(['show', 'orders']);
  });

  it('joined, the pieces are the question, whatever words there are', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.array(anyUse), (question, words) => {
        const pieces = questionPieces(question, words);
        expect(pieces.map(({ text }) => text).join('')).toBe(question);
        for (const { start, text } of pieces) expect(question.startsWith(text, start)).toBe(true);
        for (const { start, text, use: word } of pieces)
          if (word !== undefined) expect(word.span).toEqual({ start, end: start + text.length });
      }),
    );
  });
});
