import type { ChatMessage } from '../../../model/index.ts';
import { ENGINE_NAMES } from '../../../sql/index.ts';
import type { BrokenQuery, WriteQuestion } from '../../write-reasoner.ts';
import { dialectLines } from './dialect-rules.ts';
import { writerText } from './framing.ts';
import { brokenBlocks, QUERY_RULES, wishesRule, writeBlocks } from './write-blocks.ts';

export const FIX_PROMPT_VERSION = 3;

/** What fixing and revising give back. */
export const MENDED_FORM =
  '{"query": "SELECT …", "explanation": "what was wrong and what changed", "assumptions": ["…"], "tables": ["…"], "columns": ["table.column"]}';

/** The smallest change that removes the listed problems (LinkedIn, sections 5.4 and 11). */
export function fixPrompt(question: WriteQuestion, broken: BrokenQuery): readonly ChatMessage[] {
  const engine = ENGINE_NAMES[question.dialect];
  const system = writerText(
    `mend a ${engine} query that is to answer the question, so that none of the listed problems is left.`,
    [
      'Make the smallest change that does it. What no problem is about stays as it is.',
      'A name that is not in the schema is replaced by the one that means the same, with the joins it needs; never leave out a condition or a column only to be rid of a problem.',
      'A definition or default condition that is not kept is kept, unless the question asks for just that: then the query stays, and an assumption names the condition that is left out.',
      ...(broken.advice === undefined
        ? []
        : ['The advice comes from a search of the database: prefer it to guesses.']),
      ...QUERY_RULES,
      ...dialectLines(question),
      ...wishesRule(question),
    ],
    MENDED_FORM,
  );
  return [
    { role: 'system', content: system },
    { role: 'user', content: [...writeBlocks(question), ...brokenBlocks(broken)].join('\n') },
  ];
}
