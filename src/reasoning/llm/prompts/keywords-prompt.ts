import type { ChatMessage } from '../../../model/index.ts';
import type { NormaliseQuestion } from '../../normalise-reasoner.ts';
import { systemText } from './framing.ts';
import { normaliseBlocks } from './validate-prompt.ts';

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
