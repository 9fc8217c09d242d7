/** The five outcomes as JSON over HTTP: `Answer` of `src/answer.ts`, field by field. */
import { z } from '@hono/zod-openapi';
import { toJsonValue } from '../../results/index.ts';
import { SEARCHED, SENT } from '../../session/index.ts';

/** Whole numbers beyond 2^53 come as text, bytes as base64. */
const CELL = z.union([z.null(), z.boolean(), z.number(), z.string(), z.strictObject({ base64: z.string() })]);
export const ROWS = z.array(z.array(CELL));

/** What the engine has to say about rows, in our words. */
export const NOTICES = z.array(
  z.strictObject({
    code: z.enum([
      'setting-not-pinned',
      'setting-differs',
      'value-cut',
      'value-misread',
      'division-by-zero',
      'money-locale',
      'data-matters',
      'engine-warning',
    ]),
    text: z.string(),
  }),
);

const SPAN = z.strictObject({ start: z.int().min(0), end: z.int().min(0) });

const EVIDENCE = z.strictObject({
  sqlSpan: SPAN,
  questionSpan: SPAN.optional(),
  part: z.string(),
  certainty: z.enum(['stated', 'assumed', 'uncertain']),
  why: z.string(),
});

const ASSUMPTION_KINDS = [
  'time',
  'metric',
  'filter',
  'tie',
  'join',
  'value',
  'limit',
  'grain',
  'hint',
  'status',
  'model',
] as const;

/** What another choice changes, found by running it. */
const CHOICE_EFFECT = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('figure'),
    value: z.number(),
    answered: z.number(),
    change: z.number().optional(),
  }),
  z.strictObject({
    kind: z.literal('rows'),
    rows: z.number().int(),
    answered: z.number().int(),
    differing: z.number().int(),
    isAtLeast: z.literal(true).optional(),
    isOfNothing: z.literal(true).optional(),
    isOtherShape: z.literal(true).optional(),
  }),
  z.strictObject({
    kind: z.literal('values'),
    differing: z.number().int(),
    rows: z.number().int(),
    largest: z.number().optional(),
    isOtherShape: z.literal(true).optional(),
  }),
  z.strictObject({ kind: z.literal('unmeasured'), because: z.string() }),
]);

const ASSUMPTION = z.strictObject({
  kind: z.enum(ASSUMPTION_KINDS),

  text: z.string(),
  id: z.string().optional().openapi({ description: 'Its name in `assume`.' }),
  taken: z.string().optional(),
  phrase: z.string().optional().openapi({ description: 'The words of the question that leave it open.' }),
  likely: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .openapi({ description: 'How many of those who ask this mean it so, as a language model sees it.' }),
  alternatives: z
    .array(
      z.strictObject({
        choice: z.string(),
        label: z.string(),
        question: z.string().optional(),
        sql: z.string().optional(),
        effect: CHOICE_EFFECT.optional(),
      }),
    )
    .optional(),
});

const CHECK = z.strictObject({
  name: z.enum(['parse', 'read-only', 'names', 'explain', 'definitions', 'execute']),
  passed: z.boolean(),
  detail: z.string().optional(),
});

const OPTION = z.strictObject({ label: z.string(), question: z.string(), sql: z.string().optional() });

const RELATED = z.strictObject({
  kind: z.enum(['note', 'verified-pair']),
  text: z.string(),
  place: z.string(),
  sql: z.string().optional(),
});

const CHART = z.strictObject({
  kind: z.enum(['bar', 'line', 'pie', 'scatter']),
  x: z.string(),
  y: z.array(z.string()),
  series: z.string().optional(),
});

/** What a language model was told, call by call. */
export const DISCLOSURES = z.array(z.strictObject(SENT.shape));

const MODEL_USE = z.strictObject({
  id: z.string(),
  host: z.string().nullable(),
  mode: z.enum(['fast', 'careful', 'no-execution']),
  calls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number().optional(),
  cost: z.number().optional(),
  story: z.array(z.string()),
  sent: DISCLOSURES.optional(),
});

/** Of answers like this one so many were wrong. */
export const RISK_BASIS = z.strictObject({
  wrong: z.int(),
  of: z.int(),
  measured: z.int(),
  own: z.int().optional().openapi({ description: 'Of those measured, labelled answers of this project.' }),
});

const RISK = z.strictObject({
  queryRisk: z.number().openapi({ description: 'Calibrated probability that the SQL is wrong.' }),
  sqlRisk: z.number().optional(),
  engineProbability: z.number().optional(),
  basis: RISK_BASIS.optional(),
  shipped: z.strictObject({ risk: z.number(), writer: z.string(), model: z.string() }).optional().openapi({
    description:
      'The risk before labelled answers of the project move it, who wrote the query, and which models say so.',
  }),
  promise: z
    .strictObject({ target: z.number(), isOwn: z.boolean(), labelsNeeded: z.int().optional() })
    .optional()
    .openapi({
      description: 'Whether answers of this project prove the target, and how many more labelled ones would.',
    }),
  action: z.enum(['answer', 'warn']),
  units: z.array(
    z.strictObject({
      kind: z.string(),
      sqlSpan: SPAN,
      text: z.string(),
      probability: z.number(),
      reasons: z.array(z.string()),
    }),
  ),
  unreadBecause: z.string().optional(),
});

const SEARCHES = z.array(z.strictObject(SEARCHED.shape));

const BASE = {
  question: z.string(),
  readAs: z.string().optional(),
  related: z.array(RELATED),
  unsearched: z.string().optional(),
  recordId: z.string(),
  thinkMs: z.number(),
  model: MODEL_USE.optional(),
};

const VERIFIED = z
  .strictObject({
    question: z.string(),
    by: z.string().optional(),
    at: z.string().optional(),
    place: z.string(),
  })
  .openapi({ description: 'The verified pair whose query it is, with who has checked it and when.' });

const CLAIM = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('query'), sqlSpans: z.array(SPAN), why: z.string() }),
  z.strictObject({ kind: z.literal('rule'), why: z.string() }),
  z.strictObject({ kind: z.literal('unused'), why: z.string(), isTelling: z.boolean() }),
]);

const WORD = z
  .strictObject({
    span: SPAN,
    text: z.string(),
    role: z.enum([
      ...(['word', 'name', 'number', 'time', 'negation', 'comparison'] as const),
      ...(['ordinal', 'superlative', 'order', 'figure', 'grouping', 'reply'] as const),
    ]),
    claim: CLAIM,
  })
  .openapi({ description: 'An expression of the question, and the parts of the SQL that say the same.' });

const ANSWERED = z
  .strictObject({
    kind: z.literal('answered'),
    ...BASE,
    sql: z.string(),
    columns: z.array(z.string()),
    rows: ROWS,
    truncatedBy: z.enum(['rows', 'bytes']).nullable(),
    notices: NOTICES.optional(),
    chart: CHART.optional(),
    undrawn: z.string().optional(),
    explanation: z.string(),
    probability: z.number().optional(),
    risk: RISK.optional(),
    unassessed: z.string().optional(),
    verified: VERIFIED.optional(),
    words: z.array(WORD).optional(),
    unused: z.array(z.strictObject({ text: z.string(), why: z.string() })).optional(),
    evidence: z.array(EVIDENCE),
    assumptions: z.array(ASSUMPTION),
    checks: z.array(CHECK),
    alternatives: z.array(OPTION),
  })
  .openapi('Answered');

const CAUSE = z
  .enum([
    ...(['absent', 'not-found', 'not-understood', 'not-linked', 'no-date', 'no-access'] as const),
    ...(['read-only', 'no-question', 'other-language', 'why', 'forecast', 'opinion'] as const),
    'unanswerable',
  ])
  .openapi({
    description: 'Why there is no answer; `absent` alone says that the database does not have it.',
  });

const CLARIFY = z
  .strictObject({
    kind: z.literal('clarify'),
    ...BASE,
    gap: z.enum(['time', 'intent', 'term', 'value', 'join-path', 'metric']),
    phrase: z.string(),
    ask: z.string(),
    options: z.array(OPTION),
    cause: CAUSE.optional(),
  })
  .openapi('Clarify');

const FOLLOW_UP = z
  .strictObject({
    kind: z.literal('follow_up'),
    ...BASE,
    metric: z.string(),
    dimension: z.string(),
    ask: z.string(),
    options: z.array(OPTION),
  })
  .openapi('FollowUp');

const REJECT = z
  .strictObject({
    kind: z.literal('reject'),
    ...BASE,
    reason: z.enum(['metric', 'dimension', 'scope', 'permission', 'unsafe']),
    // Cards that were kept before there were causes say no more than that.
    cause: CAUSE.default('unanswerable'),
    missing: z.string(),
    message: z.string(),
    nearest: z.array(z.string()),
    searched: SEARCHES.optional(),
  })
  .openapi('Reject');

const ABSTAIN = z
  .strictObject({
    kind: z.literal('abstain'),
    ...BASE,
    reason: z.string(),
    missing: z.string().optional().openapi({ description: 'The words that were not understood.' }),
    nearest: z.array(z.string()).optional(),
    candidates: z.array(OPTION),
    disagreement: z.strictObject({ missing: z.string(), because: z.string(), searched: SEARCHES }).optional(),
  })
  .openapi('Abstain');

export const ANSWER = z
  .discriminatedUnion('kind', [ANSWERED, CLARIFY, FOLLOW_UP, REJECT, ABSTAIN])
  .openapi('Answer');

/** As the contract says it: a reply that does not fit is a bug of ours, and is told as one. */
export function jsonOf<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  return schema.parse(toJsonValue(value));
}
