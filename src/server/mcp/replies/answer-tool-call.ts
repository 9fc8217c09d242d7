import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { stageOf } from '../../../errors.ts';
import type { Admissions } from '../../parts/admission.ts';
import { failureReply } from '../../parts/failure-reply.ts';
import { dataBlock } from './data-block.ts';
import type { McpParts } from './mcp-parts.ts';

/** What a tool replies: fields for programs, and a short text for models that read no fields. */
export interface ToolReply {
  readonly fields: Record<string, unknown>;
  readonly text: string;
}

/**
 * The result of one call. What fails is an error of the tool with its code and what to do, so that a model may mend its call;
 * `line` says where it waits for its turn; a bug is told by its id alone. A call that was cancelled has nobody to tell.
 */
export async function answerToolCall(
  { mcpReq: { signal } }: ServerContext,
  parts: McpParts,
  answer: () => Promise<ToolReply | InputRequiredResult>,
  line?: keyof Admissions,
): Promise<CallToolResult | InputRequiredResult> {
  let leave: (() => void) | undefined;
  try {
    if (line !== undefined) leave = await parts.enter(line);
    const reply = await answer();
    if ('resultType' in reply) return reply;
    const { fields, text } = reply as ToolReply;
    return { structuredContent: fields, content: [{ type: 'text', text }] };
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, message, next, requestId } = failureReply(error, parts.newId(), parts).body.error;
    // An engine's message may quote a cell.
    const said = stageOf(code) === 'database' ? `\n${dataBlock([message])}` : ` ${message}`;
    const text = `${code}:${said}\nNext: ${next}\nRequest: ${requestId}`;
    return { isError: true, content: [{ type: 'text', text }] };
  } finally {
    leave?.();
  }
}
