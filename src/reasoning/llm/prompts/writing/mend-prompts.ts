/** Prompts that mend a query: one that failed, and one whose result looks wrong. */
import type { ChatMessage } from '../../../../model/index.ts';
import { ENGINE_NAMES } from '../../../../sql/dialects/index.ts';
import type { BrokenQuery, OddQuery, WriteQuestion } from '../../../roles/write-reasoner.ts';
import { cellText, dataBlock, writerText } from '../blocks/data-block.ts';
import { dialectLines } from '../blocks/dialect-rules.ts';
import {
  brokenBlocks,
  nearValueLines,
  QUERY_RULES,
  sqlBlock,
  wishesRule,
  writeBlocks,
} from '../blocks/write-blocks.ts';

export const FIX_PROMPT_VERSION = 4;

/** What fixing and revising give back. */
const MENDED_FORM =
  '{"query": "SELECT …", "explanation": "what was wrong and what changed", "assumptions": ["…"], "tables": ["…"], "columns": ["table.column"]}';

/** The smallest change that removes the listed problems (LinkedIn, sections 5.4 and 11). */
export function fixPrompt(question: WriteQuestion, broken: BrokenQuery): readonly ChatMessage[] {
  const engine = ENGINE_NAMES[question.dialect];
  const system = writerText(
    `mend a ${engine} query that is to answer the question, so that none of the listed problems is left.`,
    [
      'Make the smallest change that does it. What no problem is about stays as it is: columns, their names and order, conditions, groups, sorting, limit.',
      'A name that is not in the schema is replaced by the one that means the same, with the joins it needs; never leave out a condition or a column only to be rid of a problem.',
      'A definition or default condition that is not kept is kept, unless the question asks for just that: then the query stays, and an assumption names the condition that is left out.',
      ...(broken.possibilities === undefined
        ? []
        : [
            'The possibilities are guesses by names alone: take one only where the question or the rest of the query speaks for it.',
          ]),
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
