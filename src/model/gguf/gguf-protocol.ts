/** The messages between the process of a local model and its client. Both ends are always of the same build. */
import type { ErrorCode } from '../../errors.ts';
import type { ChatReply, ChatRequest } from '../language-model/language-model.ts';

export interface GgufSpec {
  /** Files, as absolute paths. */
  readonly runtime: string;
  readonly file: string;
  /** Tokens; absent: what the model was trained on, as far as the memory goes. */
  readonly contextWindow?: number;
  readonly threads?: number;
  readonly useGpu: boolean;
}

/** A request without what cannot be sent. */
export type GgufChat = Omit<ChatRequest, 'signal' | 'role'>;

export type GgufRequest =
  | { readonly kind: 'load'; readonly spec: GgufSpec }
  | { readonly kind: 'chat'; readonly chat: GgufChat }
  /** Of the chat that runs. It is answered by `failed`, or by the reply that was done already. */
  | { readonly kind: 'cancel' };

export type GgufReply =
  | { readonly kind: 'loaded'; readonly contextWindow: number }
  /** It works: a part of the prompt was read, or a token written. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'replied'; readonly reply: ChatReply }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly data?: Readonly<Record<string, unknown>>;
    };

const REPLY_KINDS: ReadonlySet<unknown> = new Set(['loaded', 'alive', 'replied', 'failed']);
const REQUEST_KINDS: ReadonlySet<unknown> = new Set(['load', 'chat', 'cancel']);

export function isGgufReply(value: unknown): value is GgufReply {
  return typeof value === 'object' && value !== null && 'kind' in value && REPLY_KINDS.has(value.kind);
}

export function isGgufRequest(value: unknown): value is GgufRequest {
  return typeof value === 'object' && value !== null && 'kind' in value && REQUEST_KINDS.has(value.kind);
}
