import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Answer, Answered } from '../../../answer.ts';
import { replay } from '../../../answering/index.ts';
import type { McpParts } from '../replies/mcp-parts.ts';
import {
  answerToolCall,
  dataBlock,
  keptAnswers,
  leanSchema,
  type ToolReply,
} from '../replies/tool-replies.ts';
import { UNTRUSTED } from './answer-reply.ts';

const INPUT = z.object({ recordId: z.string().min(1).max(100) });
const OUTPUT = z.object({
  kind: z.string(),
  question: z.string(),
  sql: z.string().optional(),
  message: z.string(),
  how: z.array(z.string()),
  evidence: z.array(z.string()),
  assumptions: z.array(z.string()),
  /** What came out otherwise when it was asked again. */
  changed: z.array(z.string()),
  ...UNTRUSTED,
});

/** `explain_answer`: how an answer was found, by its record; one that is no longer in memory is asked again. */
export function addExplainAnswerTool(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'explain_answer',
    {
      description: 'How an answer was found: evidence and checks.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(OUTPUT),
      annotations: {
        readOnlyHint: true,
        idempotentHint: true,
        openWorldHint: parts.session.models !== undefined,
      },
    },
    ({ recordId }, context) =>
      answerToolCall(context, parts, async () => {
        const kept = keptAnswers.find(parts.session, recordId);
        if (kept !== undefined) return explainReply(kept, []);
        const again = await replay(recordId, parts.session, { signal: context.mcpReq.signal });
        return explainReply(again.answer, again.differences);
      }),
  );
}

/** What an outcome was made of; `changed`: what came out otherwise when it was asked again. */
export function explainReply(answer: Answer, changed: readonly string[]): ToolReply {
  const { kind, question } = answer;
  const isAnswered = answer.kind === 'answered';
  const fields: z.infer<typeof OUTPUT> = {
    ...{ kind, question, message: messageOf(answer) },
    ...(isAnswered && { sql: answer.sql }),
    how: howOf(answer),
    evidence: isAnswered
      ? answer.evidence.map(({ part, certainty, why }) => `${part} (${certainty}): ${why}`)
      : [],
    assumptions: isAnswered ? answer.assumptions.map(({ text }) => text) : [],
    changed: [...changed],
    untrusted: ['message', 'how', 'evidence'],
  };
  const lines = [
    fields.message,
    ...(isAnswered ? [{ sql: answer.sql }] : []),
    ...fields.how,
    ...fields.evidence,
    ...fields.assumptions.map((text) => `assumed: ${text}`),
  ];
  const again = changed.map((text) => `Asked again: ${text}`);
  return { fields, text: [kind, ...again, dataBlock(lines)].join('\n') };
}

function messageOf(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return answer.explanation;
    case 'clarify':
    case 'follow_up':
      return answer.ask;
    case 'reject':
      return answer.message;
    case 'abstain':
      return answer.reason;
  }
}

/** Readings, searches, checks and what a model did, one sentence each. */
function howOf(answer: Answer): string[] {
  const { readAs, model, related } = answer;
  const searched = answer.kind === 'reject' ? (answer.searched ?? []) : [];
  const checks = answer.kind === 'answered' ? answer.checks : [];
  const words = answer.kind === 'answered' ? wordsOf(answer) : [];
  const unused = answer.kind === 'answered' ? (answer.unused ?? []) : [];
  return [
    ...unused.map(({ text, why }) => `not used, although it asks for something: “${text}” (${why})`),
    ...(readAs === undefined ? [] : [`read as: ${readAs}`]),
    ...(model === undefined ? [] : [`written by ${model.id}, ${model.calls} calls`, ...model.story]),
    ...searched.map(
      ({ what, hits }) => `searched ${what}: ${hits.map(({ name }) => name).join(', ') || 'nothing near'}`,
    ),
    ...words,
    ...checks.map(({ name, passed, detail }) => {
      const said = detail === undefined ? '' : `: ${detail}`;
      return `check ${name} ${passed ? 'passed' : 'failed'}${said}`;
    }),
    ...related.map(({ kind, text, place }) => `${kind} ${place}: ${text}`),
  ];
}

/** Where each word of the question went; those that only hold the sentence together say nothing, those that tell have a list of their own. */
function wordsOf({ words = [], sql, verified }: Answered): string[] {
  return words.flatMap(({ text, role, claim }) => {
    if (claim.kind === 'rule') return role === 'reply' ? [] : [`word “${text}” by a rule: ${claim.why}`];
    if (claim.kind === 'unused')
      return claim.isTelling && verified === undefined
        ? []
        : [`word “${text}” not needed in the query: ${claim.why}`];
    const parts = new Set(claim.sqlSpans.map(({ start, end }) => sql.slice(start, end)));
    return [`word “${text}” in the query (${claim.why}): ${[...parts].join(', ')}`];
  });
}
