import type { ChatMessage } from '../../../model/index.ts';
import { ENGINE_NAMES } from '../../../sql/dialects/index.ts';
import type { AssistQuestion, JudgedAnswer } from '../../roles/assist-reasoner.ts';
import { assistantText, dataBlock } from './blocks/data-block.ts';
import { questionBlocks } from './blocks/question-blocks.ts';
import { sqlBlock } from './blocks/write-blocks.ts';

export const JUDGE_ANSWER_PROMPT_VERSION = 1;

/** An answer against every query known to be right, by the rubric (LinkedIn, section 8). */
export function judgeAnswerPrompt({ text }: AssistQuestion, answer: JudgedAnswer): readonly ChatMessage[] {
  const { sql, golds, schema = '', dialect } = answer;
  const blocks = [
    ...(schema === '' ? [] : [dataBlock('schema', schema)]),
    ...questionBlocks({ text, knowledge: [] }),
    ...golds.map((gold, at) => sqlBlock(`right query ${at + 1} of ${golds.length}`, gold)),
    sql === undefined ? dataBlock('answer', '(no query was given)') : sqlBlock('answer', sql),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `${blocks.join('\n')}\nThe SQL is ${ENGINE_NAMES[dialect]}.` },
  ];
}

const SYSTEM = assistantText(
  'rate the SQL that was given as answer to a question.',
  [
    'All right queries answer the question, each in its way. Judge by the one that the answer is nearest to.',
    '5: equal to a right query up to presentation (order of columns, names, formatting). 4: one small slip that is mended in a minute, such as a date bound, rounding, a column too many, a missing limit. 3: all tables and most columns right, the logic faulty. 2: tables right or half right, columns wrong. 1: anything else, also no query.',
    'flags names what is wrong: "tables", "columns", "joins", "filters", "aggregations", "other"; also "efficiency" and "readability", which alone cost no point.',
    'Say why first, in a sentence or two, then give the score.',
  ],
  '{"because": "a sentence or two", "flags": ["filters"], "score": 4}',
);
