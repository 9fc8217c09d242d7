/** A language model as the reasoner of schema linking: a prompt for each step, JSON back, nothing of it believed unread. */
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../../model/index.ts';
import type {
  GroundedReading,
  HypothesisAxis,
  JointReasoner,
  LinkHypothesis,
} from '../roles/link-reasoner.ts';
import {
  askForJson,
  MODEL_REASONER_DEFAULTS,
  type ModelReasonerSettings,
  readCalls,
} from './ask-for-json.ts';
import { cutText } from './prompts/blocks/data-block.ts';
import { REFINE_TOOLS } from './prompts/blocks/tools.ts';
import { hypothesisePrompt } from './prompts/linking/hypothesise-prompt.ts';
import { readTogetherPrompt } from './prompts/linking/read-together-prompt.ts';
import { refinePrompt } from './prompts/linking/refine-prompt.ts';
import { selectFieldsPrompt, selectTablesPrompt } from './prompts/linking/select-prompts.ts';

const NAME_CHARACTERS = 400;
const TEXT_CHARACTERS = 600;
const MOST_HYPOTHESES = 32;
const MOST_PARTS = 500;
const MOST_NAMES = 5_000;

/** `model` behind the contract of linking (EviLink, sections 4, 5, 7, 9 and 10). */
export function modelReasoner(
  model: LanguageModel,
  settings: Partial<ModelReasonerSettings> = {},
): JointReasoner {
  const { linking: sampling } = { ...MODEL_REASONER_DEFAULTS, ...settings };
  return {
    kind: 'model',
    sharing: model.isPrivate ? 'private' : 'all',
    hypothesise: async (question, view, most) => {
      const messages = hypothesisePrompt(question, view, most);
      const task = { role: 'hypothesise', messages, reply: HYPOTHESES, sampling };
      const { hypotheses } = await askForJson(model, task, question);
      return hypotheses.slice(0, most).map(toHypothesis);
    },
    selectTables: async (question, hypothesis, view) => {
      const messages = selectTablesPrompt(question, hypothesis, view);
      const task = { role: 'select tables', messages, reply: TABLES, sampling };
      const { tables } = await askForJson(model, task, question);
      return tables.map(({ name, why }) => ({ name: asWritten(name), ...whyOf(why) }));
    },
    selectFields: async (question, hypothesis, view) => {
      const messages = selectFieldsPrompt(question, hypothesis, view);
      const task = { role: 'select fields', messages, reply: FIELDS, sampling };
      const { fields } = await askForJson(model, task, question);
      return fields.map(({ table, column, why }) => ({
        table: asWritten(table),
        column: asWritten(column),
        ...whyOf(why),
      }));
    },
    readTogether: async (question, overview, most) => {
      const messages = readTogetherPrompt(question, overview, most);
      const task = { role: 'read together', messages, reply: READINGS, sampling };
      const { readings } = await askForJson(model, task, question);
      return readings.slice(0, most).map(toReading);
    },
    refine: async (question, view) => {
      const { ledger, signal } = question;
      if (signal?.aborted) throw new CandorError('model.cancelled', 'refine: it was cancelled');
      const { toolCalls, usage } = await model.chat({
        role: 'refine',
        messages: refinePrompt(question, view),
        tools: REFINE_TOOLS,
        ...sampling,
        ...(signal && { signal }),
      });
      ledger.add('refine', usage);
      return readCalls(toolCalls, view.turn);
    },
  };
}

const WHY = z.string().nullish();
const TABLES = z.object({ tables: z.array(z.object({ name: z.string(), why: WHY })).max(MOST_NAMES) });
const FIELDS = z.object({
  fields: z.array(z.object({ table: z.string(), column: z.string(), why: WHY })).max(MOST_NAMES),
});

const TEXTS = z.array(z.string()).max(MOST_PARTS).nullish();
const HYPOTHESIS = z.object({
  summary: z.string(),
  differsBy: TEXTS,
  entities: z.array(z.string()).max(MOST_PARTS),
  filters: z
    .array(z.object({ field: z.string(), condition: z.string() }))
    .max(MOST_PARTS)
    .nullish(),
  joins: z
    .array(z.object({ left: z.string(), right: z.string() }))
    .max(MOST_PARTS)
    .nullish(),
  aggregations: z
    .array(z.object({ function: z.string(), field: z.string().nullish() }))
    .max(MOST_PARTS)
    .nullish(),
  time: z.string().nullish(),
  ambiguous: z
    .array(z.object({ phrase: z.string(), options: z.array(z.string()).max(MOST_PARTS) }))
    .max(MOST_PARTS)
    .nullish(),
});
const HYPOTHESES = z.object({ hypotheses: z.array(HYPOTHESIS).min(1).max(MOST_HYPOTHESES) });

const READINGS = z.object({
  readings: z
    .array(
      z.object({
        plan: z.string(),
        differsBy: TEXTS,
        tables: z
          .array(z.object({ name: z.string(), columns: z.array(z.string()).max(MOST_NAMES).nullish() }))
          .max(MOST_PARTS),
        unseen: TEXTS,
      }),
    )
    .min(1)
    .max(MOST_HYPOTHESES),
});

const AXES: Readonly<Record<HypothesisAxis, true>> = {
  join_route: true,
  filter_encoding: true,
  aggregation_grain: true,
  temporal_interpretation: true,
  other: true,
};

function toReading(
  { plan, differsBy, tables, unseen }: z.infer<typeof READINGS>['readings'][number],
  index: number,
): GroundedReading {
  const entities = [...new Set([...tables.map(({ name }) => name), ...(unseen ?? [])])];
  return {
    hypothesis: toHypothesis({ summary: plan, differsBy, entities }, index),
    tables: tables.map(({ name }) => ({ name: asWritten(name) })),
    fields: tables
      .flatMap(({ name, columns }) =>
        (columns ?? []).map((column) => ({ table: asWritten(name), column: asWritten(column) })),
      )
      .slice(0, MOST_NAMES),
    unseen: (unseen ?? []).map(asWritten),
  };
}

/** Numbered by us; an axis that is none of the five is `other`. */
function toHypothesis(read: z.infer<typeof HYPOTHESIS>, index: number): LinkHypothesis {
  const axes = (read.differsBy ?? []).map((axis) => (isAxis(axis) ? axis : 'other'));
  return {
    id: `h${index + 1}`,
    summary: cutText(read.summary, TEXT_CHARACTERS),
    differsBy: [...new Set(axes)],
    entities: read.entities.map(cutName),
    filters: (read.filters ?? []).map(({ field, condition }) => ({
      field: cutName(field),
      condition: cutText(condition, TEXT_CHARACTERS),
    })),
    joins: (read.joins ?? []).map(({ left, right }) => ({ left: cutName(left), right: cutName(right) })),
    aggregations: (read.aggregations ?? []).map((each) => ({
      function: cutName(each.function),
      field: cutName(each.field ?? ''),
    })),
    time: cutText(read.time ?? '', TEXT_CHARACTERS),
    ambiguous: (read.ambiguous ?? []).map(({ phrase, options }) => ({
      phrase: cutText(phrase, TEXT_CHARACTERS),
      options: options.map(cutName),
    })),
  };
}

function isAxis(text: string): text is HypothesisAxis {
  return Object.hasOwn(AXES, text);
}

/** A name that was cut names nothing in the catalog, and is told as such by whoever looks it up. */
function cutName(name: string): string {
  return cutText(name.trim(), NAME_CHARACTERS);
}

/** For whoever looks it up: blanks may be a part of the name. */
function asWritten(name: string): string {
  return cutText(name, NAME_CHARACTERS);
}

function whyOf(why: string | null | undefined): { readonly why?: string } {
  return why ? { why: cutText(why, TEXT_CHARACTERS) } : {};
}
