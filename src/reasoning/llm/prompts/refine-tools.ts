/** The six tools of refinement as a model is told of them (EviLink, section 8); what runs them checks every argument. */
import type { ToolDefinition } from '../../../model/index.ts';
import type { RefineTool } from '../../link-reasoner.ts';
import { defineTools, type ToolEntry } from './define-tools.ts';

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 1 } as const;
const OFFSET = { type: 'integer', minimum: 0 } as const;
const IDS = { type: 'array', items: TEXT, minItems: 1, maxItems: 500 } as const;

const TOOLS: Readonly<Record<RefineTool, ToolEntry>> = {
  list_tables: {
    about: 'Lists tables with their bucket and how many columns they have. Changes nothing.',
    parameters: {
      pattern: { schema: TEXT, about: 'part of the name' },
      bucket: {
        schema: { type: 'string', enum: ['R', 'U', 'C', 'K', 'D'] },
        about: 'required, undecided, candidate, kept or discarded',
      },
      limit: { schema: { ...COUNT, maximum: 200 }, about: 'tables at most, 50 unless told' },
      offset: { schema: OFFSET, about: 'tables to pass over' },
    },
  },
  list_columns: {
    about: 'Lists the columns of a table with bucket, type and class. Changes nothing.',
    parameters: {
      table: { schema: TEXT, about: 'id of the table', isRequired: true },
      level: {
        schema: { type: 'string', enum: ['L1', 'L2'] },
        about: 'L2 adds descriptions and values of undecided columns',
      },
      limit: { schema: { ...COUNT, maximum: 500 }, about: 'columns at most, 100 unless told' },
      offset: { schema: OFFSET, about: 'columns to pass over' },
    },
  },
  get_field_stats: {
    about: 'Shows statistics of columns: range, spread, frequent values, overlap with keys. Changes nothing.',
    parameters: {
      fields: {
        schema: { type: 'array', items: TEXT, minItems: 1, maxItems: 10 },
        about: 'ids of columns, 10 at most',
        isRequired: true,
      },
    },
  },
  probe_sql: {
    about: 'Runs one reading SELECT and shows up to 20 rows. Changes nothing; few are allowed per question.',
    parameters: {
      sql: { schema: TEXT, about: 'one SELECT statement', isRequired: true },
      purpose: { schema: TEXT, about: 'what it is to decide', isRequired: true },
    },
  },
  keep: {
    about: 'Takes undecided items, or candidates that were missed, into the schema.',
    parameters: {
      items: {
        schema: IDS,
        about: 'ids of tables and columns',
        isRequired: true,
      },
      reason: { schema: TEXT, about: 'what they are for' },
    },
  },
  discard: {
    about:
      'Puts undecided items aside. The reason has to say what the item means and why no reading of the question needs it; how few readings chose it is no reason.',
    parameters: {
      items: {
        schema: IDS,
        about: 'ids of tables and columns',
        isRequired: true,
      },
      reason: {
        schema: { anyOf: [TEXT, { type: 'array', items: TEXT }] },
        about: 'one for all items, or a list with one for each',
        isRequired: true,
      },
    },
  },
};

export const REFINE_TOOLS: readonly ToolDefinition[] = defineTools(TOOLS);
