/** A language model that reads what people want, judges answers and describes queries. */
import assert from 'node:assert';
import { z } from 'zod';
import { redactSql } from '../../catalog/share/index.ts';
import type { LanguageModel } from '../../model/index.ts';
import type {
  AnswerFlag,
  AnswerVerdict,
  AssistReasoner,
  FollowUpKind,
  Intent,
  Route,
  TalkState,
} from '../roles/assist-reasoner.ts';
import { askForJson, MODEL_REASONER_DEFAULTS, type ModelReasonerSettings } from './ask-for-json.ts';
import { answerAboutPrompt } from './prompts/answer-about-prompt.ts';
import { cutText } from './prompts/blocks/data-block.ts';
import { describeQueryPrompt } from './prompts/describe-query-prompt.ts';
import { judgeAnswerPrompt } from './prompts/judge-answer-prompt.ts';
import { nameTablesPrompt } from './prompts/name-tables-prompt.ts';
import { routePrompt } from './prompts/route-prompt.ts';

const NAME_CHARACTERS = 400;
const TEXT_CHARACTERS = 600;
const ANSWER_CHARACTERS = 2_000;
const MOST_TABLES = 100;

/** `model` behind the contract of assistance (LinkedIn, sections 5.1, 6, 8 and 11). */
export function assistByModel(
  model: LanguageModel,
  settings: Partial<ModelReasonerSettings> = {},
): AssistReasoner {
  const { judging: sampling } = { ...MODEL_REASONER_DEFAULTS, ...settings };
  const assistant: AssistReasoner = {
    kind: 'model',
    nameTables: async (question) => {
      const messages = nameTablesPrompt(question);
      const task = { role: 'name tables', messages, reply: TABLES, sampling };
      const { tables } = await askForJson(model, task, question);
      const written = letters(question.text);
      return namesOf(tables).filter((name) => letters(name) !== '' && written.includes(letters(name)));
    },
    route: async (question, state) => {
      const messages = routePrompt(question, state);
      const task = { role: 'route', messages, reply: ROUTE, sampling };
      return toRoute(await askForJson(model, task, question), state);
    },
    judgeAnswer: async (question, answer) => {
      assert(answer.golds.length > 0, 'an answer is judged against one right query at least');
      const messages = judgeAnswerPrompt(question, answer);
      const task = { role: 'judge answer', messages, reply: VERDICT, sampling };
      const { score, flags, because } = await askForJson(model, task, question);
      const known = (flags ?? []).map((flag): AnswerFlag => (isFlag(flag) ? flag : 'other'));
      return { score, flags: [...new Set(known)], because: textOf(because) };
    },
    describeQuery: async (query) => {
      const messages = describeQueryPrompt(query);
      const task = { role: 'describe query', messages, reply: DESCRIPTION, sampling, check: hasSummary };
      const { summary, tables, grain } = await askForJson(model, task, query);
      return { summary: textOf(summary), tables: namesOf(tables ?? []), grain: textOf(grain) };
    },
    answerAbout: async (question, about) => {
      const messages = answerAboutPrompt(question, about);
      const task = { role: 'answer about', messages, reply: ABOUT, sampling, check: hasAnswer };
      const { isKnown, answer, tables } = await askForJson(model, task, question);
      return { isKnown, text: cutText(answer.trim(), ANSWER_CHARACTERS), tables: namesOf(tables ?? []) };
    },
  };
  return model.isPrivate ? assistPrivately(assistant) : assistant;
}

const TEXT = z.string().nullish();
const TABLES = z.object({ tables: z.array(z.string()) });
const ROUTE = z.object({ intent: z.string(), followUp: TEXT, remember: TEXT, because: TEXT });
const VERDICT = z.object({
  because: TEXT,
  flags: z.array(z.string()).nullish(),
  score: z.literal([1, 2, 3, 4, 5] satisfies AnswerVerdict['score'][]),
});
const DESCRIPTION = z.object({ summary: z.string(), tables: z.array(z.string()).nullish(), grain: TEXT });
const ABOUT = z.object({ isKnown: z.boolean(), answer: z.string(), tables: z.array(z.string()).nullish() });

const INTENTS: Readonly<Record<Intent, true>> = {
  write_query: true,
  find_data: true,
  fix_query: true,
  other: true,
};
const FOLLOW_UPS: Readonly<Record<FollowUpKind, true>> = {
  update_query: true,
  change_tables: true,
  explain_tables: true,
  why_column: true,
  add_filter: true,
  use_table: true,
  shorten: true,
};
const FLAGS: Readonly<Record<AnswerFlag, true>> = {
  tables: true,
  columns: true,
  joins: true,
  filters: true,
  aggregations: true,
  other: true,
  efficiency: true,
  readability: true,
};

/** What is none of ours is `other`; without a talk before it nothing follows up. */
function toRoute(
  { intent, followUp, remember, because }: z.infer<typeof ROUTE>,
  { turns }: TalkState,
): Route {
  const rule = textOf(remember);
  if (rule !== '' && intent !== 'write_query')
    return { intent: 'other', remember: rule, because: textOf(because) };
  const isFollowUp = turns.length > 0 && typeof followUp === 'string' && isFollowUpKind(followUp);
  return {
    intent: isIntent(intent) ? intent : 'other',
    ...(isFollowUp && { followUp }),
    ...(rule !== '' && { remember: rule }),
    because: textOf(because),
  };
}

function isIntent(text: string): text is Intent {
  return Object.hasOwn(INTENTS, text);
}

function isFollowUpKind(text: string): text is FollowUpKind {
  return Object.hasOwn(FOLLOW_UPS, text);
}

function isFlag(text: string): text is AnswerFlag {
  return Object.hasOwn(FLAGS, text);
}

function hasSummary({ summary }: z.infer<typeof DESCRIPTION>): string | undefined {
  return summary.trim() === '' ? 'summary: it is empty' : undefined;
}

function hasAnswer({ answer }: z.infer<typeof ABOUT>): string | undefined {
  return answer.trim() === '' ? 'answer: it is empty' : undefined;
}

function namesOf(tables: readonly string[]): readonly string[] {
  const names = tables.map((name) => cutText(name.trim(), NAME_CHARACTERS)).filter((name) => name !== '');
  return [...new Set(names)].slice(0, MOST_TABLES);
}

/** On one line. */
function textOf(text: string | null | undefined): string {
  return cutText((text ?? '').replace(/\s+/gu, ' ').trim(), TEXT_CHARACTERS);
}

/** What is left of a name when it is written in another way: `Order Items` and `order_items`. */
function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The roles around writing in private mode: queries without their literals, no answers, no text about columns. */
function assistPrivately(assistant: AssistReasoner): AssistReasoner {
  return {
    kind: assistant.kind,
    nameTables: assistant.nameTables,
    route: (question, { turns, lastQuery, tables }) =>
      assistant.route(question, {
        turns: questionsOf(turns),
        ...(lastQuery !== undefined && { lastQuery: withoutLiterals(lastQuery) }),
        tables,
      }),
    judgeAnswer: (question, { sql, golds, dialect }) =>
      assistant.judgeAnswer(question, {
        ...(sql !== undefined && { sql: redactSql(sql, dialect).sql }),
        golds: golds.map((gold) => redactSql(gold, dialect).sql),
        dialect,
      }),
    describeQuery: (query) =>
      assistant.describeQuery({ ...query, sql: redactSql(query.sql, query.dialect).sql, about: [] }),
    answerAbout: (question, { schema, knowledge, turns, lastQuery }) =>
      assistant.answerAbout(question, {
        ...(schema !== undefined && { schema }),
        knowledge,
        turns: questionsOf(turns),
        ...(lastQuery !== undefined && { lastQuery: withoutLiterals(lastQuery) }),
      }),
  };
}

/** An answer in a line is a row. */
function questionsOf(turns: TalkState['turns']): TalkState['turns'] {
  return turns.map(({ question }) => ({ question, answer: '' }));
}

/** Nobody says in which dialect: what may be a text in double quotes goes, too. */
export function withoutLiterals(sql: string): string {
  return redactSql(sql, 'mysql', { isName: () => false }).sql;
}
