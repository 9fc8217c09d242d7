/** The messages between the executor process and its client. Both ends are always of the same build. */
import type { ErrorCode } from '../../errors.ts';
import type { DatabaseSchema, Plan, QueryLimits, QueryResult } from '../database.ts';

export type Task =
  | { readonly kind: 'query'; readonly sql: string; readonly limits: QueryLimits }
  | { readonly kind: 'explain'; readonly sql: string }
  | { readonly kind: 'read-schema' }
  | { readonly kind: 'version' };

export type Request =
  | { readonly kind: 'run'; readonly id: number; readonly task: Task }
  | { readonly kind: 'interrupt'; readonly id: number };

/** What each kind of task yields. */
export interface TaskResults {
  readonly query: QueryResult;
  readonly explain: Plan;
  readonly 'read-schema': DatabaseSchema;
  readonly version: string;
}

export type TaskResult = TaskResults[Task['kind']];

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: TaskResult }
  | { readonly kind: 'failed'; readonly id: number; readonly code: ErrorCode; readonly message: string };

const REPLY_KINDS: ReadonlySet<unknown> = new Set(['ready', 'done', 'failed']);

export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'kind' in value && REPLY_KINDS.has(value.kind);
}

export function isRequest(value: unknown): value is Request {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'run' || value.kind === 'interrupt')
  );
}
