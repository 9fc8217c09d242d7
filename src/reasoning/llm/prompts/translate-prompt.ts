import type { ChatMessage } from '../../../model/index.ts';
import type { NormaliseQuestion } from '../../normalise-reasoner.ts';
import { cellText } from './data-block.ts';
import { systemText } from './framing.ts';
import { normaliseBlocks } from './validate-prompt.ts';

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
