import type { CallToolResult } from '@modelcontextprotocol/server';
import { toCandorError } from '../../errors.ts';
import { toJsonValue } from '../../results/index.ts';
import type { McpDesk } from './mcp-desk.ts';

/** A result as data, and the same as text for clients that read nothing else. */
export function toolResult(result: object): CallToolResult {
  const structuredContent = toJsonValue(result) as Record<string, unknown>;
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

/** The result of a tool; what goes wrong is a result too, with its code and what to do. A bug is told by its id alone. */
export async function orFailure<Result extends object>(
  desk: McpDesk,
  work: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const failure = toCandorError(error);
    if (failure.kind !== 'bug') return failed(`${failure.code}: ${failure.message} ${failure.next}`);
    const id = desk.newId();
    desk.onBug(id, error instanceof Error ? error : failure);
    return failed(`internal.bug: something went wrong inside the server (${id}).`);
  }
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: text.slice(0, 2_000) }] };
}
