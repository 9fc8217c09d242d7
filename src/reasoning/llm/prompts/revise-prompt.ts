import type { ChatMessage } from '../../../model/index.ts';
import { ENGINE_NAMES } from '../../../sql/index.ts';
import type { OddQuery, WriteQuestion } from '../../write-reasoner.ts';
import { cellText, dataBlock } from './data-block.ts';
import { dialectLines } from './dialect-rules.ts';
import { MENDED_FORM } from './fix-prompt.ts';
import { writerText } from './framing.ts';
import { nearValueLines, QUERY_RULES, sqlBlock, wishesRule, writeBlocks } from './write-blocks.ts';

export const REVISE_PROMPT_VERSION = 3;

const OUTCOME_CHARACTERS = 2_000;

/** A query again after a run that failed or gave nothing (EviLink, section 11). */
export function revisePrompt(question: WriteQuestion, odd: OddQuery): readonly ChatMessage[] {
  const engine = ENGINE_NAMES[question.dialect];
  const system = writerText(
    `look again at a ${engine} query that was run for the question and failed or found nothing.`,
    [
      'Find what is at fault: a value that is stored in another spelling, a condition too many, a join on columns that do not match, a date in another form, a function that the engine lacks. Change that and nothing else.',
      'Stored values that are listed are real; use one only where the question means it.',
      'Finding nothing can be right: where nothing is at fault, give the query back as it is.',
      ...QUERY_RULES,
      ...dialectLines(question),
      ...wishesRule(question),
    ],
    MENDED_FORM,
  );
  const blocks = [
    ...writeBlocks(question),
    sqlBlock('query', odd.sql),
    dataBlock('what came of it', cellText(odd.outcome, OUTCOME_CHARACTERS)),
    ...(odd.nearValues.length === 0 ? [] : [dataBlock('stored values', nearValueLines(odd.nearValues))]),
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}
