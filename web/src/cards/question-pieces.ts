import type { WordUse } from '../api/contract.ts';

export interface QuestionPiece {
  /** Where it begins in the question. */
  readonly start: number;
  readonly text: string;
  /** What became of it; absent between the words, and of words that only hold the sentence together. */
  readonly use?: WordUse;
}

/** The question cut at its words: joined, the pieces are the question. Words that do not fit its text are left out. */
export function questionPieces(question: string, words: readonly WordUse[]): readonly QuestionPiece[] {
  const pieces: QuestionPiece[] = [];
  let at = 0;
  const take = (end: number, use?: WordUse): void => {
    if (at < end)
      pieces.push({ start: at, text: question.slice(at, end), ...(use === undefined ? {} : { use }) });
    at = end;
  };
  for (const use of words) {
    const { start, end } = use.span;
    if (isPlain(use) || start < at || end <= start || end > question.length) continue;
    take(start);
    take(end, use);
  }
  take(question.length);
  return pieces;
}

/** To mark every “the” would hide the words that matter. */
function isPlain({ role, claim }: WordUse): boolean {
  return role === 'reply' && claim.kind === 'rule';
}
