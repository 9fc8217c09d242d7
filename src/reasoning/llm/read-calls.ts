import type { ToolCall } from '../../model/index.ts';
import { parseJson } from './extract-json.ts';
import { cutText } from './prompts/data-block.ts';

/** Of one turn; what is left out is not done, and the next turn says so. */
const MOST_CALLS = 64;
const ID_CHARACTERS = 100;
const ARGUMENT_CHARACTERS = 20_000;

export interface ReadCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** The calls of one turn. Ids are made ours where they are missing, long or given twice: an answer has to find its call. */
export function readCalls(toolCalls: readonly ToolCall[], turn: number): readonly ReadCall[] {
  const seen = new Set<string>();
  return toolCalls.slice(0, MOST_CALLS).map((call, index) => {
    const isUsable = call.id !== '' && call.id.length <= ID_CHARACTERS && !seen.has(call.id);
    const id = isUsable ? call.id : `turn-${turn}-call-${index + 1}`;
    seen.add(id);
    return { id, tool: cutText(call.name, ID_CHARACTERS), arguments: readArguments(call.arguments) };
  });
}

/** JSON where it is JSON, else the text: what runs the tool tells the model what is wrong with it. */
function readArguments(text: string): unknown {
  if (text.length > ARGUMENT_CHARACTERS) return cutText(text, ARGUMENT_CHARACTERS);
  const read = parseJson(text);
  return 'value' in read ? read.value : text;
}
