/** The six tools of refinement; four read, `keep` and `discard` decide (EviLink, section 3.5; evilink.md §8). */
import { unreachable } from '../../../errors.ts';
import type { RefineCall } from '../../../reasoning/index.ts';
import { cutLines, oneLine } from '../items/one-line.ts';
import { passedOver } from '../items/recoverable-errors.ts';
import type { LinkState } from '../state/link-state.ts';
import { discardItems, keepItems } from './decide-items.ts';
import { getFieldStats } from './get-field-stats.ts';
import { listColumns } from './list-columns.ts';
import { listTables } from './list-tables.ts';
import { probeSql } from './probe-sql.ts';
import { isToolName, readArguments, TOOL_ARGUMENTS, type ToolName } from './tool-arguments.ts';
import type { ToolContext, ToolOutcome } from './tool-context.ts';

/** Characters of what one call may answer. */
const LONGEST_TEXT = 4_000;

/** Runs one call. A wrong name or wrong arguments give an error text and change nothing. */
export async function runTool(
  { tool, arguments: written }: RefineCall,
  state: LinkState,
  context: ToolContext,
): Promise<ToolOutcome> {
  if (!isToolName(tool)) {
    const known = Object.keys(TOOL_ARGUMENTS).join(', ');
    return { state, text: `error: there is no tool ${oneLine(tool, 80)}; the tools are ${known}` };
  }
  const outcome = await runNamed(tool, written, { state, context });
  return { state: outcome.state, text: cutLines(outcome.text, LONGEST_TEXT) };
}

async function runNamed(
  tool: ToolName,
  written: unknown,
  { state, context }: { readonly state: LinkState; readonly context: ToolContext },
): Promise<ToolOutcome> {
  switch (tool) {
    case 'list_tables': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return { state, text: read.ok ? listTables(read.value, state, context) : read.text };
    }
    case 'list_columns': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return { state, text: read.ok ? listColumns(read.value, state, context) : read.text };
    }
    case 'get_field_stats': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return {
        state,
        text: read.ok ? await statistics(getFieldStats(read.value, context), context) : read.text,
      };
    }
    case 'probe_sql': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return { state, text: read.ok ? await probeSql(read.value, context) : read.text };
    }
    case 'keep': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return read.ok ? keepItems(read.value, state, context) : { state, text: read.text };
    }
    case 'discard': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return read.ok ? discardItems(read.value, state, context) : { state, text: read.text };
    }
    default:
      return unreachable(tool);
  }
}

/** A store that cannot be read is news for the reasoner, not the end of linking. */
async function statistics(text: Promise<string>, { signal }: ToolContext): Promise<string> {
  try {
    return await text;
  } catch (error) {
    return oneLine(`error: ${passedOver(error, signal)}`, 400);
  }
}
