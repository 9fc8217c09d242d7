import { CandorError } from '../../errors.ts';
import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { wordPattern } from './word-pattern.ts';

/** A question that passed the first checks, ready for the stages. */
export interface Request {
  /** As asked, trimmed. */
  readonly original: string;
  /** With the words of the trade replaced by what they mean. */
  readonly text: string;
}

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
    (replaced, { term, meaning }) => replaced.replace(wordPattern(term, replaced, 'giu'), () => meaning),
    text,
  );
}

// Greetings before a question and thanks behind it: said to whoever answers, and of no rows.

const PEOPLE = '(?: (?:there|all|team|everyone|everybody|folks|candor|again))?';
const GREETING = new RegExp(
  `^(?:(?:hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|dear (?:all|team|colleagues|candor)|i hope you are well)${PEOPLE}\\s*(?<end>[,.!;:–—-]+)\\s*)+`,
  'i',
);
/** Behind a comma a name may go on: "Good Morning, Vietnam". */
const ASKS =
  /^(?:how|what|which|who|whom|whose|where|when|why|is|are|was|were|do|does|did|can|could|would|will|please|list|show|give|tell|get|find|count|i|we|our|the|all)\b/i;
/** Behind a comma only what is no name: “Friends, Cheers” are two series. */
const THANKS =
  /(?:(?:(?<=[?.!;])\s*(?:many thanks|thank you|cheers|ty|ta)|(?<=[?.!,;])\s*(?:thanks|thx)|\s(?:thx|pls|plz))(?:,? (?:a lot|so much|very much|in advance|again|for (?:your|the) help|and have a (?:nice|good|great|lovely) (?:day|evening|weekend)))*[\s.!,]*)+$/i;

/** The question without them; as it is where nothing else was said. */
export function withoutCourtesy(text: string): string {
  const greeting = GREETING.exec(text);
  const rest = greeting === null ? text : text.slice(greeting[0].length);
  const isOver = greeting?.groups?.end !== ',' || ASKS.test(rest);
  const asked = (isOver ? rest : text).replace(THANKS, '').trim();
  return /[\p{L}\p{N}]/u.test(asked) ? asked : text;
}
