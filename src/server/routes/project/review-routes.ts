/** Any query judged part by part, and a question read without being answered. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type ExplainedQuestion, explainQuestion } from '../../../answering/index.ts';
import { type Review, reviewQuery } from '../../../answering/review/index.ts';
import { RISK_BASIS } from '../../contract/answer-contract.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { authorize } from '../../protect/authorize.ts';

const QUESTION = z.string().min(1).max(2_000);
const HINT = z.string().max(2_000).optional();
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
});

// How a query is judged and how a question is read, as JSON over HTTP.

const SPAN = z.strictObject({ start: z.int(), end: z.int() });
const ACTION = z.enum(['answer', 'warn', 'repair', 'abstain']);

const REVIEW = z
  .strictObject({
    sql: z.string(),
    queryRisk: z.number().openapi({ description: 'Probability that it does not answer its question.' }),
    action: ACTION,
    reason: z.string(),
    basis: RISK_BASIS.optional().openapi({ description: 'Of queries like this one so many were wrong.' }),
    broken: z.array(z.string()).openapi({ description: 'Definitions that it does not keep to.' }),
    unused: z
      .array(z.strictObject({ text: z.string(), why: z.string() }))
      .openapi({ description: 'Words of the question that no part of it answers to.' }),
    passesAt: z
      .number()
      .optional()
      .openapi({ description: 'The least target risk at which it would be answered without a warning.' }),
    unassessed: z.string().optional().openapi({ description: 'Why no part has a risk.' }),
    stopsAt: z.strictObject({ line: z.int(), column: z.int(), message: z.string() }).optional(),
    units: z
      .array(
        z.strictObject({
          kind: z.string(),
          span: SPAN,
          text: z.string(),
          probability: z.number(),
          reasons: z.array(z.string()),
        }),
      )
      .openapi({ description: 'Parts that a person can point at, likeliest wrong first.' }),
    faults: z.array(
      z.strictObject({ span: SPAN, text: z.string(), isRefused: z.boolean(), instead: z.array(z.string()) }),
    ),
    repair: z
      .strictObject({
        sql: z.string(),
        isAccepted: z.boolean(),
        detail: z.string().optional(),
        queryRisk: z.number(),
        action: ACTION,
        changes: z.array(z.strictObject({ from: z.string(), to: z.string(), because: z.string() })),
      })
      .optional(),
  })
  .openapi('Review');

const REVIEW_ROUTE = createRoute({
  method: 'post',
  path: '/v1/review',
  tags: ['sql'],
  summary: 'Say which parts of a query are likely wrong, and why; nothing is run',
  request: body(
    z.strictObject({
      sql: z.string().min(1).max(100_000),
      question: QUESTION.optional().openapi({ description: 'What it should answer.' }),
      hint: HINT,
      targetRisk: z.number().gt(0).lt(1).optional(),
      repair: z.boolean().optional().openapi({ description: 'Offer a repair where rules know one.' }),
    }),
  ),
  responses: responses(REVIEW, 'The risk of the whole and of its parts'),
});

const MENTION = z.strictObject({ span: SPAN, text: z.string(), meaning: z.string() });

const EXPLAINED = z
  .strictObject({
    question: z.string(),
    readAs: z.string(),
    mentions: z.array(MENTION),
    unexplained: z.array(MENTION).openapi({ description: 'Words that nothing explains.' }),
    readings: z
      .array(
        z.strictObject({
          sql: z.string(),
          probability: z.number(),
          explanation: z.string(),
          rules: z.array(z.string()),
          assumptions: z.array(z.string()),
          metrics: z.array(z.string()),
          dimensions: z.array(z.string()),
          parts: z.array(z.strictObject({ sql: z.string(), because: z.string() })),
        }),
      )
      .openapi({ description: 'Likeliest first.' }),
    decision: z.strictObject({
      kind: z.enum(['sql', 'clarify', 'follow_up', 'reject', 'abstain']),
      text: z.string().optional().openapi({ description: 'What would be asked or said.' }),
      options: z.array(z.string()).optional(),
    }),
  })
  .openapi('ExplainedQuestion');

const EXPLAIN = createRoute({
  method: 'post',
  path: '/v1/explain',
  tags: ['ask'],
  summary:
    'Say how a question is read: what its words name, the readings, what is not understood; nothing is run',
  request: body(
    z.strictObject({
      question: QUESTION,
      hint: HINT,
      after: z.array(z.string().max(2_000)).max(20).optional().openapi({ description: 'Earlier questions.' }),
    }),
  ),
  responses: responses(EXPLAINED, 'Readings, and what asking would come to so far'),
});

export function addReviewRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(REVIEW_ROUTE, async (context) => {
    await authorize(context, 'showSql');
    const {
      sql,
      targetRisk = context.get('session').config.targetRisk,
      ...options
    } = context.req.valid('json');
    const review = await reviewQuery(sql, context.get('session'), {
      ...options,
      ...(targetRisk !== undefined && { targetRisk }),
      signal: context.req.raw.signal,
    });
    return context.json(REVIEW.parse(shownReview(review)), 200);
  });
  app.openapi(EXPLAIN, async (context) => {
    await authorize(context, 'showSql');
    const { question, ...options } = context.req.valid('json');
    const session = context.get('session');
    const explained = explainQuestion(question, session, { ...options, now: session.clock() });
    return context.json(EXPLAINED.parse(shownExplained(explained)), 200);
  });
}

function shownReview(review: Review): z.infer<typeof REVIEW> {
  const { sql, assessment, decision, faults, stopsAt, repair, basis, passesAt } = review;
  const { queryRisk, unreadBecause } = assessment;
  return {
    ...{ sql, queryRisk, action: decision.action, reason: decision.reason },
    ...(basis !== undefined && { basis: { ...basis } }),
    ...{ broken: [...review.broken], unused: review.unused.map((word) => ({ ...word })) },
    ...(passesAt !== undefined && { passesAt }),
    ...(unreadBecause !== undefined && { unassessed: unreadBecause }),
    ...(stopsAt !== undefined && { stopsAt }),
    units: review.parts.map(({ kind, span, text, probability, reasons }) => ({
      ...{ kind, span: { ...span }, text, probability },
      reasons: reasons.map((reason) => reason.text),
    })),
    faults: faults.map(({ span, text, isRefused, instead }) => ({
      ...{ span: { ...span }, text, isRefused },
      instead: [...instead],
    })),
    ...(repair !== undefined && {
      repair: {
        sql: repair.sql,
        isAccepted: repair.verdict.isAccepted,
        ...(!repair.verdict.isAccepted && { detail: repair.verdict.detail }),
        queryRisk: repair.assessment.queryRisk,
        action: repair.decision.action,
        changes: [...repair.changes],
      },
    }),
  };
}

function shownExplained({
  question,
  readAs,
  mentions,
  unexplained,
  readings,
  decision,
}: ExplainedQuestion): z.infer<typeof EXPLAINED> {
  return {
    ...{ question, readAs, mentions: [...mentions], unexplained: [...unexplained] },
    readings: readings.map(({ assumptions, rules, metrics, dimensions, parts, ...reading }) => ({
      ...reading,
      assumptions: assumptions.map(({ text }) => text),
      rules: [...rules],
      metrics: [...metrics],
      dimensions: [...dimensions],
      parts: [...parts],
    })),
    decision: shownDecision(decision),
  };
}

function shownDecision(decision: ExplainedQuestion['decision']): z.infer<typeof EXPLAINED>['decision'] {
  if (decision.kind === 'sql') return { kind: 'sql' };
  if ('reason' in decision) return { kind: 'abstain', text: decision.reason };
  const { boundary } = decision;
  if (boundary.kind === 'reject') return { kind: 'reject', text: boundary.message };
  return { kind: boundary.kind, text: boundary.ask, options: boundary.options.map(({ label }) => label) };
}
