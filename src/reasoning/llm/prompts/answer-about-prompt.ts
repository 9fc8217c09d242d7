import type { ChatMessage } from '../../../model/index.ts';
import type { AskedAbout, AssistQuestion } from '../../roles/assist-reasoner.ts';
import { assistantText, dataBlock } from './blocks/data-block.ts';
import { entryLines, questionBlocks, turnLines } from './blocks/question-blocks.ts';
import { lineOfEach, sqlBlock } from './blocks/write-blocks.ts';

export const ANSWER_ABOUT_PROMPT_VERSION = 2;

/** A question about the data, a query or a word of the trade, from what is known (LinkedIn, section 6). */
export function answerAboutPrompt(
  { text }: AssistQuestion,
  { schema, knowledge, turns, lastQuery, understood = [] }: AskedAbout,
): readonly ChatMessage[] {
  const before = turnLines(turns);
  const blocks = [
    ...(schema === undefined ? [] : [dataBlock('schema', schema)]),
    ...(knowledge.length === 0 ? [] : [dataBlock('notes and definitions', lineOfEach(knowledge))]),
    ...(before.length === 0 ? [] : [dataBlock('earlier turns, oldest first', entryLines(before))]),
    ...(lastQuery === undefined ? [] : [sqlBlock('last query', lastQuery)]),
    ...(understood.length === 0 ? [] : [dataBlock('how it was understood', entryLines(understood))]),
    ...questionBlocks({ text, knowledge: [] }),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: blocks.join('\n') },
  ];
}

const SYSTEM = assistantText(
  'answer what a person says or asks about the data, a query, a figure, a table or a word, from what is known of the database.',
  [
    'Say what the schema, the notes and definitions, the earlier turns or the last query say: its conditions tell what was counted and what was left out. What a name suggests may be said as that; common knowledge of SQL may be added, of the business not. Give no figures: nothing was counted.',
    'Whether or where something is stored: name its tables and columns (Table.Column) and its codes, or say that nothing here holds it and what comes nearest. "tables" are those the person should look at, mostly one to three, none where nothing fits.',
    'To a greeting say a short word and what can be asked here; what is not about this data is declined in a sentence.',
    'isKnown is false where nothing says it; answer then says what is missing, and what the names suggest.',
    'Five sentences at most, plain text, in the language of the question.',
  ],
  '{"isKnown": true, "answer": "A lead is qualified when …", "tables": []}',
);
