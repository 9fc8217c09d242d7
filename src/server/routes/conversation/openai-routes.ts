/** The chat completions of OpenAI's API, for clients that speak nothing else: a question in, the answer as Markdown out. */

import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import { type AskedBefore, askInMessages } from '../../../agent/index.ts';
import { type Answer, type Answered, isRun, type Option } from '../../../answer.ts';
import { CandorError } from '../../../errors.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';
import { FAILURES, responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { takeQuestions } from '../../protect/authorize.ts';
import { shownTo } from '../../protect/hide-sql.ts';

/** The one model that clients may name. */
export const OPENAI_MODEL = 'candor';
const MOST_EARLIER = 8;

const PART = z.object({ type: z.string(), text: z.string().optional() });
const CONTENT = z.union([z.string().max(100_000), z.array(PART).max(100), z.null()]);
/** Clients send more than we read; what we do not know is let be, as services of this form do. */
const REQUEST = z
  .object({
    model: z.string().max(200).optional(),
    messages: z
      .array(z.object({ role: z.string().max(40), content: CONTENT.optional() }))
      .min(1)
      .max(500),
    stream: z.boolean().nullish(),
  })
  .openapi('ChatCompletionRequest');

const USAGE = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  /** Absent: nothing of the prompt was cached, or nobody says. */
  prompt_tokens_details: z.strictObject({ cached_tokens: z.int() }).optional(),
});
const COMPLETION = z
  .strictObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.strictObject({
        index: z.int(),
        message: z.strictObject({ role: z.literal('assistant'), content: z.string() }),
        finish_reason: z.literal('stop'),
      }),
    ),
    usage: USAGE,
  })
  .openapi('ChatCompletion');

const COMPLETE = createRoute({
  method: 'post',
  path: '/v1/chat/completions',
  tags: ['openai'],
  summary:
    'The last user message is the question, or the answer to a question back; the earlier ones are what it goes on from',
  request: { body: { required: true, content: { 'application/json': { schema: REQUEST } } } },
  responses: {
    ...FAILURES,
    200: {
      description: 'The answer as Markdown, at once or as chunks',
      content: { 'application/json': { schema: COMPLETION }, 'text/event-stream': { schema: z.string() } },
    },
  },
});

const MODELS = createRoute({
  method: 'get',
  path: '/v1/models',
  tags: ['openai'],
  summary: 'The one model that clients may name',
  responses: responses(
    z.strictObject({
      object: z.literal('list'),
      data: z.array(
        z.strictObject({
          id: z.string(),
          object: z.literal('model'),
          created: z.int(),
          owned_by: z.string(),
        }),
      ),
    }),
    'Models',
  ),
});

export function addOpenaiRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(MODELS, (context) =>
    context.json(
      {
        object: 'list' as const,
        data: [{ id: OPENAI_MODEL, object: 'model' as const, created: 0, owned_by: 'candor' }],
      },
      200,
    ),
  );
  app.openapi(COMPLETE, async (context) => {
    const { messages, stream } = context.req.valid('json');
    const { newId } = context.get('parts');
    const session = context.get('session');
    const { question, before } = readQuestion(messages);
    await takeQuestions(context);
    const asked = await askInMessages(question, before, session, { signal: context.req.raw.signal });
    const answer = await shownTo(context, asked);
    const content = answerMarkdown(answer);
    const { promptTokens = 0, completionTokens = 0, cachedTokens } = answer.model ?? {};
    const base = { id: `chatcmpl-${newId()}`, created: seconds(session.wallClock()), model: OPENAI_MODEL };
    if (stream === true) {
      const chunk = (delta: object, finish_reason: 'stop' | null): string =>
        JSON.stringify({
          ...base,
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta, finish_reason }],
        });
      return streamSSE(context, async (events) => {
        await events.writeSSE({ data: chunk({ role: 'assistant', content }, null) });
        await events.writeSSE({ data: chunk({}, 'stop') });
        await events.writeSSE({ data: '[DONE]' });
      });
    }
    const completion: z.infer<typeof COMPLETION> = {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
        ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
      },
    };
    return context.json(completion, 200);
  });
}

/** The answer to a user's message stands behind it, with its record at the end. */
function readQuestion(messages: z.infer<typeof REQUEST>['messages']): {
  readonly question: string;
  readonly before: readonly AskedBefore[];
} {
  const asked: AskedBefore[] = [];
  for (const { role, content } of messages) {
    const last = asked.at(-1);
    if (role === 'user') asked.push({ question: textOf(content) });
    else if (role === 'assistant' && last !== undefined)
      asked.splice(-1, 1, { ...last, recordId: recordIn(textOf(content)) ?? last.recordId });
  }
  const question = asked.at(-1)?.question;
  if (question === undefined)
    throw new CandorError('server.invalid-request', 'messages: none of them is of the user.');
  return { question, before: asked.slice(0, -1).slice(-MOST_EARLIER) };
}

function textOf(content: z.infer<typeof CONTENT> | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

const MOST_ROWS = 50;
const MOST_CELL = 200;

/** An answer as Markdown for clients that only know text. Names and cells are data: nothing in them becomes markup. */
export function answerMarkdown(answer: Answer): string {
  const parts = partsOf(answer);
  return [...parts, `Record: \`${answer.recordId}\``].join('\n\n');
}

/** The record that a text of `answerMarkdown` ends with. */
function recordIn(markdown: string): string | undefined {
  return /(?:^|\n)Record: `([\w-]{1,100})`\s*$/.exec(markdown)?.[1];
}

function partsOf(answer: Answer): readonly string[] {
  switch (answer.kind) {
    case 'answered':
      return answeredParts(answer);
    case 'clarify':
    case 'follow_up':
      return [escaped(answer.ask), numbered(answer.options)];
    case 'reject':
      return [
        escaped(answer.message),
        ...(answer.nearest.length === 0 ? [] : [`Nearest: ${answer.nearest.map(escaped).join(', ')}`]),
      ];
    case 'abstain':
      return [
        escaped(answer.reason),
        ...answer.candidates.flatMap(({ label, sql }) => [
          escaped(label),
          ...(sql === undefined ? [] : [codeBlock(sql)]),
        ]),
      ];
  }
}

function answeredParts(answer: Answered): readonly string[] {
  const { explanation, sql, assumptions, risk } = answer;
  const taken = assumptions.map(({ text }) => `- ${escaped(text)}`).join('\n');
  return [
    escaped(explanation),
    isRun(answer) ? tableOf(answer) : 'The query was not run.',
    ...(risk?.action === 'warn'
      ? [`Likely wrong with probability ${risk.queryRisk.toFixed(2)}: check it before you use it.`]
      : []),
    ...(taken === '' ? [] : [`Assumed:\n${taken}`]),
    ...(sql === '' ? [] : [codeBlock(sql)]),
  ];
}

function tableOf({ columns, rows, truncatedBy, notices = [] }: Answered): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  const isCut = truncatedBy !== null;
  return [
    line(columns),
    `|${columns.map(() => ' --- |').join('')}`,
    ...shown.map(line),
    ...(more > 0 ? [`\n${more} more rows`] : []),
    ...(isCut ? [`\nThe result was cut at the limit of ${truncatedBy}.`] : []),
    ...notices.map(({ text }) => `\n${escaped(text)}`),
  ].join('\n');
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  const text = cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell);
  return escaped(text.length > MOST_CELL ? `${text.slice(0, MOST_CELL)}…` : text);
}

function numbered(options: readonly Option[]): string {
  return options.map(({ label }, at) => `${at + 1}. ${escaped(label)}`).join('\n');
}

/** On one line, with every sign that Markdown or HTML would read as markup written out. */
function escaped(text: string): string {
  return escapeControl(text.replace(/\s+/gu, ' ')).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (sign) => `\\${sign}`);
}

/** A fence longer than any run of back-ticks in the text. */
function codeBlock(sql: string): string {
  const longest = Math.max(0, ...(sql.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}sql\n${escapeControlKeepingLines(sql)}\n${fence}`;
}
