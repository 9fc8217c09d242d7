/** The three tools of research as a model is told of them (LinkedIn, section 5.4); what runs them checks every argument. */
import type { ToolDefinition } from '../../../model/index.ts';
import { defineTools, type ToolEntry } from './define-tools.ts';

const TEXT = { type: 'string' } as const;

export type ResearchTool = 'search_tables' | 'describe_table' | 'search_values';

const TOOLS: Readonly<Record<ResearchTool, ToolEntry>> = {
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

export const RESEARCH_TOOLS: readonly ToolDefinition[] = defineTools(TOOLS);
