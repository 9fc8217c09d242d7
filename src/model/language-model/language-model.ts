/** What the stages ask of a language model, whoever serves it. */
import type { TokenPrice, WritingContract } from './model-profiles.ts';

export interface LanguageModel {
  /** Provider and model, as the ledger and records name it: `openai/gpt-4.1@api.openai.com`. */
  readonly id: string;
  /** Tokens of one request and its reply; absent where nobody says. */
  readonly contextWindow?: number;
  /** Who reads what is sent: the host of the service; null where the model runs in this process. Absent in tests. */
  readonly host?: string | null;
  /** No cell of the database may be told to it; whoever asks it leaves them out, and `privately` holds back the rest. */
  readonly isPrivate?: true;
  /** What its writer is asked for; absent: the full contract. */
  readonly contract?: WritingContract;
  /** What its tokens cost; absent where nobody says. */
  readonly price?: TokenPrice;
  /** One reply. Throws CandorError with a `model.*` code when the model cannot be reached or refuses. */
  chat(request: ChatRequest): Promise<ChatReply>;
  /** Frees what it holds: weights, connections. Absent where it holds nothing. */
  close?(): Promise<void>;
}

export interface ChatRequest {
  /** Which role asks, as the ledger names it: `write`, `select tables`. */
  readonly role?: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  /** JSON schema the reply has to follow, for models that can be held to one. */
  readonly replySchema?: Readonly<Record<string, unknown>>;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of the reply. */
  readonly maxTokens?: number;
  /** Makes two draws of one prompt differ, and the same draw the same again, where the service takes seeds. */
  readonly seed?: number;
  /** The log probability of every token of the reply, where the model gives them. */
  readonly wantsLogProbabilities?: boolean;
  /** Called right before the request is sent, not where a kept reply answers it; what it throws holds the request back. */
  readonly onSend?: () => void;
  readonly signal?: AbortSignal;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it: not parsed, not to be trusted. */
  readonly arguments: string;
  /** What some services want back with the call, letter by letter. */
  readonly signature?: string;
}

export interface ChatReply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: TokenUse;
  /** Why it ended; absent where the service does not say. `length`: the text is cut. */
  readonly finish?: 'stop' | 'length' | 'tool-calls' | 'refused';
  /** What it thought, where it said nothing else: some services take a whole reply for thoughts. */
  readonly thoughts?: string;
  /** Natural logarithms, one a token of `text`, where they were asked for and given. */
  readonly logProbabilities?: readonly TokenProbability[];
  /** What the service turned out not to take, in words: the request went without it. */
  readonly leftOut?: readonly string[];
  /** It was read from a cache or a recording: nothing was sent and nothing paid. */
  readonly isReplayed?: boolean;
}

export interface TokenProbability {
  readonly token: string;
  readonly logProbability: number;
}

/** As the provider counts; cached tokens count in full. */
export interface TokenUse {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt, those the provider had in its cache. */
  readonly cachedTokens?: number;
  /** The service said nothing: counted by the length of the texts. */
  readonly isEstimated?: boolean;
}
