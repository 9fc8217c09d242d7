import type { Attributes, Context } from '@opentelemetry/api';
import { CandorError } from '../errors.ts';
import { countOne, type LookUpCounts } from './count-work.ts';

export interface SpanSettings {
  /** `client`: something outside of this process is waited for; `server`: somebody outside waits for us. */
  readonly kind?: 'internal' | 'client' | 'server';
  readonly attributes?: Attributes;
  /** What the span goes on from; absent: what is in work. */
  readonly parent?: Context;
  /** Made only below another one: what is done at the opening of a project would be many traces of one span each. */
  readonly needsParent?: boolean;
  /** As what it counts, with or without a span. */
  readonly counts?: keyof LookUpCounts;
}

/** What the work inside says of itself once it knows. */
export interface OpenSpan {
  tell(attributes: Attributes): void;
  /** What is told once it is known by which route it came. */
  rename(name: string): void;
  /** For work that does not throw what went wrong. */
  fail(type: string): void;
}

/** Where the API of OpenTelemetry keeps what was registered, in all its versions 1: without it nobody makes spans, and the API is not loaded. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

const NO_SPAN: OpenSpan = { tell: () => undefined, rename: () => undefined, fail: () => undefined };

/**
 * Does the work inside a span of OpenTelemetry, which costs next to nothing where no SDK is in the process. Of an error the
 * span has the code alone: a message may hold what stands in the database.
 * `await inSpan('candor.ask', {}, () => answer())`
 */
export async function inSpan<T>(
  name: string,
  { kind = 'internal', attributes = {}, parent: given, needsParent = false, counts }: SpanSettings,
  work: (span: OpenSpan) => T | Promise<T>,
): Promise<T> {
  if (counts !== undefined) countOne(counts);
  if (!(REGISTERED in globalThis)) return work(NO_SPAN);
  const { context, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const parent = given ?? context.active();
  if (needsParent && trace.getSpan(parent) === undefined) return work(NO_SPAN);
  const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };
  const settings = { kind: kinds[kind], attributes };
  return trace.getTracer('candor').startActiveSpan(name, settings, parent, async (span) => {
    const fail = (type: string): void => {
      span.setAttribute(ATTRIBUTES.errorType, type);
      span.setStatus({ code: SpanStatusCode.ERROR, message: type });
    };
    try {
      return await work({
        tell: (told) => void span.setAttributes(told),
        rename: (better) => void span.updateName(better),
        fail,
      });
    } catch (error) {
      fail(errorTypeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

export function errorTypeOf(error: unknown): string {
  return error instanceof CandorError ? error.code : 'internal';
}

/**
 * Attributes of the conventions of OpenTelemetry, those for GenAI being experimental, and our own under `candor.`: kept here
 * rather than in a package, which weighs 10 MB.
 */
export const ATTRIBUTES = {
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',

  genAiOperation: 'gen_ai.operation.name',
  workflow: 'gen_ai.workflow.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',

  dbSystem: 'db.system.name',
  dbNamespace: 'db.namespace',
  dbOperation: 'db.operation.name',
  dbRows: 'db.response.returned_rows',
  /** Only where content is wanted. */
  dbText: 'db.query.text',

  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  urlScheme: 'url.scheme',

  stage: 'candor.stage',
  outcome: 'candor.outcome',
  reason: 'candor.reason',
  mode: 'candor.mode',
  record: 'candor.record.id',
  rows: 'candor.rows',
  errorProbability: 'candor.error_probability',
  intent: 'candor.intent',
  workspace: 'candor.workspace',
  /** Only where content is wanted. */
  question: 'candor.question',
} as const;

const COUNTED = {
  find_values: 'valueSearches',
  search_vectors: 'vectorSearches',
} as const satisfies Record<string, keyof LookUpCounts>;

/** Something looked for in what is known of a database, which the engine has no part in. */
export function lookUp<T>(what: keyof typeof COUNTED, work: () => Promise<T>): Promise<T> {
  return inSpan(`candor.${what}`, { needsParent: true, counts: COUNTED[what] }, work);
}
