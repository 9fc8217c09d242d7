import type { ChatMessage } from '../../../model/index.ts';
import type { Draw, WriteQuestion } from '../../write-reasoner.ts';
import { DIALECT_RULES } from './dialect-rules.ts';
import { writerText } from './framing.ts';
import { QUERY_RULES, wishesRule, writeBlocks } from './write-blocks.ts';

export const WRITE_PROMPT_VERSION = 2;

/** One of the outcomes for a question (LinkedIn, sections 5.3 and 11; ThothAI, section 12; design of the model path). */
export function writePrompt(
  question: WriteQuestion,
  { method }: Pick<Draw, 'method'>,
): readonly ChatMessage[] {
  const { engine, lines } = DIALECT_RULES[question.dialect];
  const { definitions = [], examples, reading } = question;
  const isDefined = definitions.length > 0;
  const system = writerText(
    `answer the question with one ${engine} query, or ask back, or say why there is no answer here.`,
    [
      ...METHODS[method],
      OUTCOMES.answered,
      OUTCOMES.clarify,
      ...(isDefined ? [OUTCOMES.followUp] : []),
      OUTCOMES.reject,
      ...(isDefined ? [DEFINITIONS_RULE] : []),
      ...(examples.length > 0 ? [PAIRS_RULE] : []),
      VALUES_RULE,
      ...(reading === undefined ? [] : [READING_RULE]),
      ...QUERY_RULES,
      ...lines,
      ...SHAPE,
      ...wishesRule(question),
    ],
    [FORMS.answered, FORMS.clarify, ...(isDefined ? [FORMS.followUp] : []), FORMS.reject].join('\nor '),
  );
  return [
    { role: 'system', content: system },
    { role: 'user', content: writeBlocks(question).join('\n') },
  ];
}

/** The ways to think before the query is written; they are all that differs between draws. */
const METHODS: Readonly<Record<Draw['method'], readonly string[]>> = {
  plan: [
    'In "thinking", plan first as an engine would run it: which rows it reads, how it joins, filters, groups and orders them. The query follows the plan.',
  ],
  steps: [
    'In "thinking", go step by step first: what is asked for, from which columns, under which conditions, per what, in which order.',
  ],
  divide: [
    'In "thinking", divide the question first into smaller ones, solve each with a query of its own, then join them into one.',
  ],
  direct: [
    'In "thinking", say in a few clauses what each word of the question stands for here: definition, condition, code, join, time.',
  ],
};

const OUTCOMES = {
  answered:
    'outcome "answered": the usual one. What the words leave open is assumed as the project has it, else as most people would mean it; list as assumptions what could change the rows. Choices may be left out; give them, with their whole SQL, only where another reading is as likely and changes the rows, at most two.',
  clarify:
    'outcome "clarify": the words have readings with clearly different answers, and nothing given here nor common use picks one; or they are listed as vague. Two to five options, each with its whole SQL.',
  followUp:
    'outcome "follow_up": a metric is asked for whose definition demands a dimension that the question neither states nor groups by.',
  reject:
    'outcome "reject": the question wants data changed (reason unsafe), or something that is listed as not answerable or that nothing here holds (metric, dimension or scope). Look for it under other words, spellings, languages and codes first. A greeting, or a question about you, is a reject of reason scope whose message says what can be asked here. Never answer a question with a condition or a split of it left out, nor for something named that is stored nowhere.',
} as const;

const DEFINITIONS_RULE =
  'Definitions bind: a metric that is named is computed by its formula with all its conditions; a default condition holds for every use of its table unless the question asks for the other rows. Notes come next, then what the schema says of itself, then your guess.';

/** Rules of parts that are not always there. */
const PAIRS_RULE =
  'Where a verified pair asks the very same, with the same conditions, give its number as "pair" in place of "sql".';
const READING_RULE = 'What the built-in engine says is a hint that may be wrong.';

const VALUES_RULE =
  'Values in conditions are written as they are stored; codes by their meaning. Times follow the stored form: a count since 1970, a text, a date.';

const SHAPE: readonly string[] = [
  'Select just what is asked for, in that order, people and things by name. A share is a fraction unless per cent is asked for; a division is never of whole numbers by accident nor by zero. Months are written YYYY-MM.',
  'A join must not repeat the rows that are counted or summed. Sort NULLs last; where only the first rows count, leave them out.',
];

const FORMS = {
  answered:
    '{"thinking": "…", "outcome": "answered", "title": "what the rows show, in one line", "sql": "SELECT …", "assumptions": [{"text": "…", "choices": [{"label": "…", "sql": "SELECT …"}]}], "unused": [{"text": "words of the question that the query does not use", "why": "…"}]}',
  clarify:
    '{"thinking": "…", "outcome": "clarify", "phrase": "the unclear words", "gap": "time, intent, term, value, join-path or metric", "ask": "…?", "options": [{"label": "…", "question": "the whole question with this choice", "sql": "SELECT …"}]}',
  followUp:
    '{"thinking": "…", "outcome": "follow_up", "metric": "…", "dimension": "…", "ask": "…?", "options": [{"label": "…", "question": "…"}]}',
  reject:
    '{"thinking": "…", "outcome": "reject", "reason": "metric, dimension, scope or unsafe", "missing": "…", "message": "one sentence for whoever asks", "nearest": ["…"]}',
} as const;
