import { ACCEPT_PROMPT_VERSION } from './prompts/accept-prompt.ts';
import { ANSWER_ABOUT_PROMPT_VERSION } from './prompts/answer-about-prompt.ts';
import { DESCRIBE_QUERY_PROMPT_VERSION } from './prompts/describe-query-prompt.ts';
import { DESCRIBE_TABLE_PROMPT_VERSION } from './prompts/describe-table-prompt.ts';
import { JUDGE_ANSWER_PROMPT_VERSION } from './prompts/judge-answer-prompt.ts';
import { HYPOTHESISE_PROMPT_VERSION } from './prompts/linking/hypothesise-prompt.ts';
import { RANK_COLUMNS_PROMPT_VERSION, RANK_TABLES_PROMPT_VERSION } from './prompts/linking/rank-prompts.ts';
import { READ_TOGETHER_PROMPT_VERSION } from './prompts/linking/read-together-prompt.ts';
import { REFINE_PROMPT_VERSION } from './prompts/linking/refine-prompt.ts';
import {
  SELECT_FIELDS_PROMPT_VERSION,
  SELECT_TABLES_PROMPT_VERSION,
} from './prompts/linking/select-prompts.ts';
import { NAME_TABLES_PROMPT_VERSION } from './prompts/name-tables-prompt.ts';
import {
  KEYWORDS_PROMPT_VERSION,
  STAND_ALONE_PROMPT_VERSION,
  TRANSLATE_PROMPT_VERSION,
  VALIDATE_PROMPT_VERSION,
} from './prompts/normalise-prompts.ts';
import { REWORD_PROMPT_VERSION } from './prompts/reword-prompt.ts';
import { ROUTE_PROMPT_VERSION } from './prompts/route-prompt.ts';
import { FIX_PROMPT_VERSION, REVISE_PROMPT_VERSION } from './prompts/writing/mend-prompts.ts';
import { REFLECT_PROMPT_VERSION } from './prompts/writing/reflect-prompt.ts';
import { JUDGE_TESTS_PROMPT_VERSION, WRITE_TESTS_PROMPT_VERSION } from './prompts/writing/test-prompts.ts';
import { RESEARCH_PROMPT_VERSION, WRITE_PROMPT_VERSION } from './prompts/writing/write-prompt.ts';

/** By role, as the ledger names it: what a record of a run has to hold to be compared with another. */
export const PROMPT_VERSIONS = {
  hypothesise: HYPOTHESISE_PROMPT_VERSION,
  'read together': READ_TOGETHER_PROMPT_VERSION,
  'select tables': SELECT_TABLES_PROMPT_VERSION,
  'select fields': SELECT_FIELDS_PROMPT_VERSION,
  refine: REFINE_PROMPT_VERSION,
  validate: VALIDATE_PROMPT_VERSION,
  translate: TRANSLATE_PROMPT_VERSION,
  keywords: KEYWORDS_PROMPT_VERSION,
  'stand alone': STAND_ALONE_PROMPT_VERSION,
  'rank tables': RANK_TABLES_PROMPT_VERSION,
  'rank columns': RANK_COLUMNS_PROMPT_VERSION,
  write: WRITE_PROMPT_VERSION,
  fix: FIX_PROMPT_VERSION,
  revise: REVISE_PROMPT_VERSION,
  research: RESEARCH_PROMPT_VERSION,
  reflect: REFLECT_PROMPT_VERSION,
  'write tests': WRITE_TESTS_PROMPT_VERSION,
  'judge tests': JUDGE_TESTS_PROMPT_VERSION,
  'name tables': NAME_TABLES_PROMPT_VERSION,
  route: ROUTE_PROMPT_VERSION,
  'judge answer': JUDGE_ANSWER_PROMPT_VERSION,
  'describe query': DESCRIBE_QUERY_PROMPT_VERSION,
  'describe table': DESCRIBE_TABLE_PROMPT_VERSION,
  reword: REWORD_PROMPT_VERSION,
  accept: ACCEPT_PROMPT_VERSION,
  'answer about': ANSWER_ABOUT_PROMPT_VERSION,
} as const;
