import type { InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Answer } from '../../../answer.ts';
import { type AskOptions, answerClarification, ask } from '../../../answering/index.ts';
import { canElicit, elicit, elicitedReply } from '../replies/elicitation.ts';
import type { McpParts } from '../replies/mcp-parts.ts';
import { answerToolCall, keptAnswers, leanSchema, type ToolReply } from '../replies/tool-replies.ts';
import { ANSWER_FIELDS, answerReply, findBack } from './answer-reply.ts';

const MOST_ROWS = 1_000;
const DEFAULT_ROWS = 50;

const INPUT = z.object({
  question: z
    .string()
    .min(1)
    .max(2_000)
    .describe('In plain words; with replyTo: the answer to that question back'),
  replyTo: z.string().max(100).optional().describe('recordId of a clarify or follow_up'),
  after: z.array(z.string().max(2_000)).max(20).optional().describe('Earlier questions it goes on from'),
  hint: z.string().max(2_000).optional().describe('Definitions, formulas, codes'),
  mode: z.enum(['fast', 'careful', 'no-execution']).optional(),
  assume: z.record(z.string().max(200), z.string().max(200)).optional().describe('Assumption id: choice'),
  limit: z.int().min(1).max(MOST_ROWS).optional(),
});

/** `ask`: one question to one of the five outcomes; a question back goes to the person where the client can show it. */
export function addAskTool(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'ask',
    {
      description:
        'Ask the database a question. On clarify or follow_up ask the person, then call again with replyTo or an option’s question.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(ANSWER_FIELDS),
      // A language model of somebody else may be asked.
      annotations: {
        readOnlyHint: true,
        idempotentHint: false,
        openWorldHint: parts.session.models !== undefined,
      },
    },
    (input, context) =>
      answerToolCall(context, parts, () => runAsk(input, { server, context, parts }), 'question'),
  );
}

interface AskCall {
  readonly server: McpServer;
  readonly context: ServerContext;
  readonly parts: McpParts;
}

async function runAsk(
  input: z.infer<typeof INPUT>,
  { server, context, parts }: AskCall,
): Promise<ToolReply | InputRequiredResult> {
  const { session, onQuestion, onAnswer } = parts;
  const { limit = DEFAULT_ROWS } = input;
  await onQuestion();
  const elicited = elicitedReply(context);
  if (elicited !== undefined && elicited.reply === undefined)
    return answerReply(await findBack(elicited.recordId, session), limit);
  const options = optionsOf(input, context);
  const answer = await answerOf({ ...input, ...elicited }, options, session);
  keptAnswers.keep(session, answer);
  await onAnswer(answer);
  const isBack = answer.kind === 'clarify' || answer.kind === 'follow_up';
  return isBack && canElicit(server, context) ? elicit(answer) : answerReply(answer, limit);
}

function answerOf(
  call: z.infer<typeof INPUT> & { readonly recordId?: string; readonly reply?: string | undefined },
  options: AskOptions,
  session: McpParts['session'],
): Promise<Answer> {
  const recordId = call.recordId ?? call.replyTo;
  if (recordId === undefined) return ask(call.question, session, { ...options, after: call.after });
  return answerClarification(recordId, call.reply ?? call.question, session, options);
}

function optionsOf({ hint, mode, assume }: z.infer<typeof INPUT>, context: ServerContext): AskOptions {
  const onProgress = reportStages(context);
  return {
    ...(hint !== undefined && { hint }),
    ...(mode !== undefined && { mode }),
    ...(assume !== undefined && { assume }),
    ...(onProgress !== undefined && { onProgress }),
    signal: context.mcpReq.signal,
  };
}

/** Tells the stages of a question as they begin, to a client that asked for progress; undefined for any other. */
function reportStages({ mcpReq }: ServerContext): ((stage: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress++;
    const told = mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    });
    // The connection is gone: the call ends by its own signal.
    told.catch(() => undefined);
  };
}
