import type { ChatMessage } from '../../../model/index.ts';
import { cutText, dataBlock } from './data-block.ts';

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
