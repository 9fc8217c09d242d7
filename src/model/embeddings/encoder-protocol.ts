/** The messages between the encoder process and its client. Both ends are always of the same build. */
import type { ErrorCode } from '../../errors.ts';

/** Which encoder the process is to be. */
export type EncoderSpec = { readonly kind: 'use-lite' } | ({ readonly kind: 'onnx' } & OnnxSpec);

export interface OnnxSpec {
  /** Files, as absolute paths. */
  readonly runtime: string;
  readonly model: string;
  readonly tokenizer: string;
  readonly tokenizerConfig?: string;
  /** Tokens of a text that are read, with the special ones. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
}

/** How the vectors of the tokens become the one of the text. */
export type Pooling = 'mean' | 'cls' | 'max';

export interface Encoder {
  readonly dimensions: number;
  /** One row per text; of any length. The texts are not empty. */
  encode(texts: readonly string[]): Promise<Float32Array>;
}

export type Request =
  | { readonly kind: 'load'; readonly spec: EncoderSpec }
  | { readonly kind: 'encode'; readonly texts: readonly string[] };

/** Requests are answered one by one, in their order. */
export type Reply =
  | { readonly kind: 'loaded'; readonly dimensions: number }
  | { readonly kind: 'encoded'; readonly matrix: Float32Array }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string };

const REPLY_KINDS: ReadonlySet<unknown> = new Set(['loaded', 'encoded', 'failed']);
const REQUEST_KINDS: ReadonlySet<unknown> = new Set(['load', 'encode']);

export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'kind' in value && REPLY_KINDS.has(value.kind);
}

export function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'kind' in value && REQUEST_KINDS.has(value.kind);
}
