/** The tools that a model may call while it thinks, and what it called so far. */
import type { ChatMessage, ToolDefinition } from '../../../../model/index.ts';
import type { RefineTool } from '../../../roles/link-reasoner.ts';
import { cutText, dataBlock } from './data-block.ts';

interface Parameter {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly about: string;
  readonly isRequired?: true;
}

interface ToolEntry {
  readonly about: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
}

/** Tools as a table, in the form that models are told of them: arguments are an object with nothing else in it. */
function defineTools(tools: Readonly<Record<string, ToolEntry>>): readonly ToolDefinition[] {
  return Object.entries(tools).map(([name, { about, parameters }]) => ({
    name,
    description: about,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(parameters).map(([key, parameter]) => [
          key,
          { ...parameter.schema, description: parameter.about },
        ]),
      ),
      required: Object.entries(parameters).flatMap(([key, { isRequired }]) => (isRequired ? [key] : [])),
      additionalProperties: false,
    },
  }));
}

// The six tools of refinement as a model is told of them (EviLink, section 8); what runs them checks every argument.

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 1 } as const;
const OFFSET = { type: 'integer', minimum: 0 } as const;
const IDS = { type: 'array', items: TEXT, minItems: 1, maxItems: 500 } as const;

const TOOLS_TO_REFINE: Readonly<Record<RefineTool, ToolEntry>> = {
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

export const REFINE_TOOLS: readonly ToolDefinition[] = defineTools(TOOLS_TO_REFINE);

type ResearchTool = 'search_tables' | 'describe_table' | 'search_values';

const TOOLS_TO_RESEARCH: Readonly<Record<ResearchTool, ToolEntry>> = {
  search_tables: {
    about: 'Finds tables by words of their names and descriptions, or by a name that does not exist.',
    parameters: { text: { schema: TEXT, about: 'words or a name', isRequired: true } },
  },
  describe_table: {
    about: 'Shows the columns of a table with types, keys and meanings.',
    parameters: { table: { schema: TEXT, about: 'name of the table', isRequired: true } },
  },
  search_values: {
    about: 'Finds stored values like a text, and the columns they are in.',
    parameters: {
      text: { schema: TEXT, about: 'the value as the question has it', isRequired: true },
      column: { schema: TEXT, about: 'table.column to look in; every column unless told' },
    },
  },
};

export const RESEARCH_TOOLS: readonly ToolDefinition[] = defineTools(TOOLS_TO_RESEARCH);

/** Of all that tools have answered. */
const HISTORY_CHARACTERS = 60_000;
const ARGUMENT_CHARACTERS = 4_000;

export interface ToolResult {
  readonly call: { readonly id: string; readonly tool: string; readonly arguments: unknown };
  readonly text: string;
}

/** Each earlier turn as it was: the calls, then an answer to each. Older answers are left out first. */
export function toolHistory(turns: readonly (readonly ToolResult[])[]): readonly ChatMessage[] {
  let left = HISTORY_CHARACTERS;
  const newestFirst = turns.toReversed().map((results): readonly ChatMessage[] => {
    if (results.length === 0) return [];
    const answers = results.map(({ call, text }): ChatMessage => {
      const isShown = text.length <= left;
      left -= isShown ? text.length : 0;
      const content = isShown ? dataBlock('answer', text) : '(an older answer, left out: ask again)';
      return { role: 'tool', toolCallId: call.id, content };
    });
    const toolCalls = results.map(({ call }) => ({
      id: call.id,
      name: toolName(call.tool),
      arguments: argumentText(call.arguments),
    }));
    return [{ role: 'assistant', content: '', toolCalls }, ...answers];
  });
  return newestFirst.toReversed().flat();
}

/** Services refuse a whole talk over a name that no tool can have. */
function toolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
}

/** Services want JSON here, whatever the model wrote before. */
function argumentText(value: unknown): string {
  const text = typeof value === 'string' ? undefined : JSON.stringify(value);
  if (text !== undefined && text.length <= ARGUMENT_CHARACTERS) return text;
  return JSON.stringify({ unread: cutText(text ?? String(value), ARGUMENT_CHARACTERS) });
}
