import type { ChatMessage } from '../../../model/index.ts';
import type { NormaliseQuestion } from '../../normalise-reasoner.ts';
import { dataBlock } from './data-block.ts';
import { systemText } from './framing.ts';
import { entryLines, questionBlocks } from './question-blocks.ts';

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
export function normaliseBlocks(text: string, about: readonly string[]): string {
  const database = about.length === 0 ? [] : [dataBlock('the database', entryLines(about))];
  return [...questionBlocks({ text, knowledge: [] }), ...database].join('\n');
}
