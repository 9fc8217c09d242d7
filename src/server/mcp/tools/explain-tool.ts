import { z } from 'zod';
import type { Answer } from '../../../answer.ts';
import { readOwnRecord } from '../../../read-own-record.ts';
import type { McpDesk, ToolBench } from '../mcp-desk.ts';
import { orFailure, toolResult } from '../tool-result.ts';

const OUTPUT = z.object({
  question: z.string(),
  outcome: z.string(),
  lines: z.array(z.string()),
});
type Explained = z.infer<typeof OUTPUT>;

/** `explain_answer`: what an answer stands on. */
export function addExplainTool({ server, desk }: ToolBench): void {
  server.registerTool(
    'explain_answer',
    {
      description:
        'Why an answer came out as it did: words, evidence, assumptions, checks, doubts. By recordId.',
      inputSchema: z.object({ recordId: z.string().max(100) }),
      outputSchema: OUTPUT,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ recordId }) => orFailure(desk, async () => toolResult(await explain(recordId, desk))),
  );
}

/** Answers of this process with all that is known of them; earlier ones by their record. Throws `record.*`. */
async function explain(recordId: string, { answers, session }: McpDesk): Promise<Explained> {
  const answer = answers.get(recordId);
  if (answer !== undefined)
    return { question: answer.question, outcome: answer.kind, lines: linesOf(answer) };
  const record = await readOwnRecord(recordId, session);
  const lines = [
    ...(record.readAs === undefined ? [] : [`read as: ${record.readAs}`]),
    ...(record.reason === undefined ? [] : [record.reason]),
    ...(record.sql === undefined ? [] : [`SQL: ${record.sql}`]),
    ...record.checks.map(({ name, passed }) => `check ${name}: ${passed ? 'passed' : 'failed'}`),
  ];
  return { question: record.question, outcome: record.kind, lines };
}

function linesOf(answer: Answer): string[] {
  const related = answer.related.map(({ kind, text, place }) => `${kind}: ${text} (${place})`);
  if (answer.kind === 'reject')
    return [
      answer.message,
      ...(answer.searched ?? []).map(({ what, count }) => `searched ${count ?? ''} ${what}`),
      ...related,
    ];
  if (answer.kind === 'abstain') return [answer.reason, ...related];
  if (answer.kind !== 'answered') return [answer.ask, ...related];
  const asked = answer.readAs ?? answer.question;
  return [
    answer.explanation,
    ...answer.evidence.map(({ part, why, certainty, questionSpan }) => {
      const words = questionSpan && ` from “${asked.slice(questionSpan.start, questionSpan.end)}”`;
      return `${part}: ${why}${words ?? ''} (${certainty})`;
    }),
    ...answer.assumptions.map(({ text }) => `assumed: ${text}`),
    ...answer.checks.map(
      ({ name, passed, detail }) => `check ${name}: ${passed ? 'passed' : 'failed'} ${detail ?? ''}`,
    ),
    ...(answer.risk?.units ?? []).map(
      ({ text, probability, reasons }) => `doubt ${probability.toFixed(2)}: ${text}: ${reasons.join('; ')}`,
    ),
    ...related,
  ];
}
