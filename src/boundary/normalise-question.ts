import { CandorError } from '../errors.ts';
import type { SemanticModel } from '../knowledge/index.ts';
import type { Request } from './request.ts';
import { withoutCourtesy } from './without-courtesy.ts';
import { wordPattern } from './word-pattern.ts';

const MAX_CHARACTERS = 2_000;
const SQL_OPENING =
  /^\s*(?:select\s+[\s\S]+\s+from\s|with\s+\w+\s+as\s*\(|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|drop\s+(?:table|view|index|database|schema)\s|create\s+(?:table|view|index)\s|alter\s+table\s|truncate\s+table\s|pragma\s|attach\s)/i;

/**
 * Checks the text of a question, leaves its greeting and its thanks out, and replaces the words of the trade by their meaning.
 * Throws `question.empty`, `question.too-long`, `question.is-sql`.
 */
export function normaliseQuestion(question: string, semantics: SemanticModel): Request {
  const original = question
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(original)) throw new CandorError('question.empty', 'The question is empty.');
  if (original.length > MAX_CHARACTERS)
    throw new CandorError(
      'question.too-long',
      `The question has ${original.length.toLocaleString('en')} characters; the limit is ${MAX_CHARACTERS.toLocaleString('en')}.`,
    );
  if (SQL_OPENING.test(original)) throw new CandorError('question.is-sql', 'This is SQL, not a question.');
  return { original, text: replaceJargon(withoutCourtesy(original), semantics) };
}

function replaceJargon(text: string, semantics: SemanticModel): string {
  return semantics.jargon.reduce(
    (replaced, { term, meaning }) => replaced.replace(wordPattern(term, 'giu'), () => meaning),
    text,
  );
}
