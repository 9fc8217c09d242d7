/** The tools of the researcher: they look things up and change nothing. */
import { z } from 'zod';
import type { SharedText } from '../../catalog/share/index.ts';
import type { ResearchCall, ResearchResult } from '../../reasoning/roles/write-reasoner.ts';

/** What the tools look into; every answer is text that names only what the asker may see. */
export interface ResearchTools {
  /** Ids of tables that fit a text or a name, best first. */
  findTables(text: string): Promise<readonly string[]>;
  /** A table as text, by a name as a model writes it; undefined: there is none of that name. */
  describeTable(name: string): { readonly id: string; readonly text: SharedText } | undefined;
  /** Columns with stored values that are like a text; absent where no value may be shown. */
  findValues?(text: string, column?: string): Promise<readonly SharedText[]>;
}

export interface ToolOutcome extends ResearchResult {
  /** Ids of tables that were looked at and may be needed. */
  readonly tables: readonly string[];
}

const MOST_TABLES = 10;
const MOST_VALUES = 10;
/** LinkedIn has no bound; ours keeps a reply from filling the next prompt (EviLink, section 8). */
const MOST_CHARACTERS = 4_000;

const TEXT = z.string().trim().min(1).max(300);
const ARGUMENTS = {
  search_tables: z.object({ text: TEXT }),
  describe_table: z.object({ table: TEXT }),
  search_values: z.object({ text: TEXT, column: TEXT.nullish() }),
};

/** Runs one call; arguments that do not fit, and tools that do not exist, are told to the model. */
export async function runResearchCall(
  call: ResearchCall,
  researchTools: ResearchTools,
): Promise<ToolOutcome> {
  const { text, tables = [] } = await answer(call, researchTools);
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return { call, text: cut, tables };
}

interface Told {
  readonly text: string;
  readonly tables?: readonly string[];
}

async function answer(call: ResearchCall, researchTools: ResearchTools): Promise<Told> {
  switch (call.tool) {
    case 'search_tables': {
      const read = ARGUMENTS.search_tables.safeParse(call.arguments);
      return read.success
        ? searchTables(read.data.text, researchTools)
        : wrongArguments(call.tool, read.error);
    }
    case 'describe_table': {
      const read = ARGUMENTS.describe_table.safeParse(call.arguments);
      return read.success
        ? describeTable(read.data.table, researchTools)
        : wrongArguments(call.tool, read.error);
    }
    case 'search_values': {
      const read = ARGUMENTS.search_values.safeParse(call.arguments);
      return read.success ? searchValues(read.data, researchTools) : wrongArguments(call.tool, read.error);
    }
    default:
      return { text: `there is no tool of that name; there are ${Object.keys(ARGUMENTS).join(', ')}` };
  }
}

function wrongArguments(tool: string, { issues: [first] }: z.ZodError): Told {
  return {
    text: `${tool}: ${first?.path.join('.') || 'the arguments'}: ${first?.message ?? 'not as expected'}`,
  };
}

async function searchTables(text: string, researchTools: ResearchTools): Promise<Told> {
  const found = (await researchTools.findTables(text)).slice(0, MOST_TABLES);
  return { text: found.length === 0 ? 'no table fits' : found.join('\n') };
}

function describeTable(name: string, researchTools: ResearchTools): Told {
  const table = researchTools.describeTable(name);
  return table === undefined
    ? { text: 'there is no table of that name; search for it' }
    : { text: table.text, tables: [table.id] };
}

async function searchValues(
  { text, column }: { readonly text: string; readonly column?: string | null | undefined },
  researchTools: ResearchTools,
): Promise<Told> {
  if (researchTools.findValues === undefined) return { text: 'stored values may not be shown here' };
  const found = (await researchTools.findValues(text, column ?? undefined)).slice(0, MOST_VALUES);
  return { text: found.length === 0 ? 'no stored value is like it' : found.join('\n') };
}
