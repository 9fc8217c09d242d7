/** The messages between the executor process and its client. Both ends are always of the same build. */
import type { ErrorCode } from '../../errors.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import type { DatabaseSchema, Plan, QueryLimits, QueryResult } from '../interface/database.ts';
import type { EmbeddedLimits } from './engine/embedded-settings.ts';

/** The third argument of the process, as JSON. */
export interface ExecutorArguments {
  readonly limits: EmbeddedLimits;
  /** Of temporary files; null: there are none. */
  readonly folder: string | null;
}

export type Task =
  | { readonly kind: 'query'; readonly sql: string; readonly limits: QueryLimits }
  | { readonly kind: 'explain'; readonly sql: string }
  | { readonly kind: 'read-schema' }
  | { readonly kind: 'read-own-code' }
  | { readonly kind: 'version' };

export type Request =
  | { readonly kind: 'run'; readonly id: number; readonly task: Task }
  | { readonly kind: 'interrupt'; readonly id: number };

/** What each kind of task yields. */
export interface TaskResults {
  readonly query: QueryResult;
  readonly explain: Plan;
  readonly 'read-schema': DatabaseSchema;
  readonly 'read-own-code': OwnCode;
  readonly version: string;
}

export type TaskResult = TaskResults[Task['kind']];

export type Reply =
  | { readonly kind: 'ready' }
  /** The task has arrived: should the process end now, the task may be why. */
  | { readonly kind: 'begun'; readonly id: number }
  | (Ended & { readonly kind: 'done'; readonly result: TaskResult })
  | (Ended & { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string });

interface Ended {
  readonly id: number;
  /** The task has left the process so large that a modest one would be taken for too much: it should end. */
  readonly isFull: boolean;
}

const REPLY_KINDS: ReadonlySet<unknown> = new Set(['ready', 'begun', 'done', 'failed']);

/** What the watch of an executor writes to stderr before it ends the process, which says nothing more. */
export const OVER_MEMORY = 'candor-executor: over its memory';
export const OVER_TEMPORARY = 'candor-executor: over its temporary files';

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
