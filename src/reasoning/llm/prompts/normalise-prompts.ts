/** Prompts that make a question ready: checked, in one language, without the turns before, as keywords. */
import type { ChatMessage } from '../../../model/index.ts';
import type { NormaliseQuestion } from '../../roles/normalise-reasoner.ts';
import { cellText, dataBlock, systemText } from './blocks/data-block.ts';
import { entryLines, questionBlocks } from './blocks/question-blocks.ts';
import { sqlBlock } from './blocks/write-blocks.ts';

export const VALIDATE_PROMPT_VERSION = 1;

/** Whether a text is a question for a database, permissively (ThothAI, section 4). */
export function validatePrompt({ text, about }: NormaliseQuestion): readonly ChatMessage[] {
  const system = systemText(
    'say whether a text can be taken as a question to this database, and in which language it is.',
    [
      '"ok" is the answer in every case of doubt, also for short, clumsy or misspelt questions and for bare names and numbers.',
      '"meaningless": words of a language that together ask for nothing. "gibberish": no words of any language. "out-of-scope": a clear request that no database of this kind could serve, such as a poem or the weather.',
      'Whether the database really holds what is asked for is not yours to judge here.',
      'Give the language as its two letters (ISO 639-1), "und" where it cannot be told.',
    ],
    '{"validity": "ok" | "meaningless" | "gibberish" | "out-of-scope", "because": "one sentence for the person, empty for ok", "language": "en"}',
  );
  return [
    { role: 'system', content: system },
    { role: 'user', content: normaliseBlocks(text, about) },
  ];
}

/** The question and, where something is known of it, what the database is about. */
function normaliseBlocks(text: string, about: readonly string[]): string {
  const database = about.length === 0 ? [] : [dataBlock('the database', entryLines(about))];
  return [...questionBlocks({ text, knowledge: [] }), ...database].join('\n');
}

export const KEYWORDS_PROMPT_VERSION = 1;

/** Words to look up in the names and stored values of a database (ThothAI, section 4). */
export function keywordsPrompt({ text, about }: NormaliseQuestion): readonly ChatMessage[] {
  const system = systemText(
    'list the words of a question that are worth looking up among the names and stored values of the database.',
    [
      'List key words, phrases of several words, and names of persons, places and things; after a phrase also its single words.',
      'Copy stored values letter by letter: names, codes, quoted texts, numbers with their units. Do not translate, correct or complete them.',
      'Where the question says of which column a value is, write column = value.',
      'The most telling come first; 40 at most. Leave out words such as "the", "list", "how many".',
    ],
    '{"keywords": ["Port of Lyon", "Port", "Lyon", "city = Lyon"]}',
  );
  return [
    { role: 'system', content: system },
    { role: 'user', content: normaliseBlocks(text, about) },
  ];
}

export const STAND_ALONE_PROMPT_VERSION = 3;

/** Older questions than these have little to say to the last one. */
const SHOWN_HISTORY = 6;

/** A query that was mended or pasted was never asked for in words. */
const LAST_QUERY_RULE =
  'The last query is the one that stands. What "it", "those" or "the same" points at is in it where no later turn says it: then say in words what it shows, of which tables, under which conditions, and the change.';

/** A follow-up written so that nothing before it is needed. */
export function standAlonePrompt(
  { text, about }: NormaliseQuestion,
  history: readonly string[],
  lastQuery?: string,
): readonly ChatMessage[] {
  const system = systemText(
    'write the last question of a talk so that it is understood without the questions before it.',
    [
      'Take from the earlier turns only what the last one leaves open: what it is about, conditions that go on, what "it", "each" or "those" means; the nearest turn that fits comes first, whatever it was about. Where it changes something, the change counts.',
      'Why a figure is high or low becomes the question for what it is made of: its single rows with what tells most of them, or its parts, under the same conditions.',
      ...(lastQuery === undefined ? [] : [LAST_QUERY_RULE]),
      'A question that needs nothing from before is given back as it is.',
      'Keep its language, its names, numbers and quoted texts. Answer nothing.',
    ],
    '{"question": "the question on its own"}',
  );
  const earlier = [
    ...(history.length === 0
      ? []
      : [dataBlock('earlier turns, oldest first', entryLines(history.slice(-SHOWN_HISTORY)))]),
    ...(lastQuery === undefined ? [] : [sqlBlock('last query', lastQuery)]),
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: [...earlier, normaliseBlocks(text, about)].join('\n') },
  ];
}

export const TRANSLATE_PROMPT_VERSION = 1;

/** The question in the language of the database. */
export function translatePrompt({
  text,
  databaseLanguage,
  about,
}: NormaliseQuestion): readonly ChatMessage[] {
  const system = systemText(
    `translate a question into the language with the ISO code ${cellText(databaseLanguage, 20)}.`,
    [
      'Keep its meaning whole: what is asked for, every condition, every order and limit. Add nothing, answer nothing.',
      'Leave proper names, codes, numbers and everything in quotes as they are, letter by letter.',
      'Where it cannot be translated, set isTranslated to false, leave text empty and say why.',
    ],
    '{"isTranslated": true, "text": "the translation", "because": "empty, or why not"}',
  );
  return [
    { role: 'system', content: system },
    { role: 'user', content: normaliseBlocks(text, about) },
  ];
}
