/** What the stages ask of a language model, whoever serves it. */

export interface LanguageModel {
  /** Provider and model, as the ledger and records name it. */
  readonly id: string;
  /** Tokens of one request and its reply; absent where nobody says. */
  readonly contextWindow?: number;
  /** One reply. Throws CandorError with a `model.*` code when the model cannot be reached or refuses. */
  chat(request: ChatRequest): Promise<ChatReply>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  /** JSON schema the reply has to follow, for models that can be held to one. */
  readonly replySchema?: Readonly<Record<string, unknown>>;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of the reply. */
  readonly maxTokens?: number;
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
}

export interface ChatReply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: TokenUse;
}

/** As the provider counts; cached tokens count in full. */
export interface TokenUse {
  readonly promptTokens: number;
  readonly completionTokens: number;
}
