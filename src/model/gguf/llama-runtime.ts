/** What we call of `node-llama-cpp`, an optional package whose types are therefore not there. */

export type LlamaToken = number;

export interface LlamaModel {
  readonly tokenizer: LlamaTokenizer;
  readonly trainContextSize: number;
  readonly embeddingVectorSize: number;
  tokenize(text: string): LlamaToken[];
  detokenize(tokens: readonly LlamaToken[], specialTokens?: boolean, before?: readonly LlamaToken[]): string;
  isEogToken(token: LlamaToken): boolean;
  createContext(options: Readonly<Record<string, unknown>>): Promise<LlamaContext>;
  createEmbeddingContext(options: Readonly<Record<string, unknown>>): Promise<LlamaEmbeddingContext>;
}

/** Made by the runtime, only passed on. */
type LlamaTokenizer = object;
type LlamaGrammar = object;
type LlamaGrammarState = object;

interface LlamaContext {
  getSequence(): LlamaSequence;
}

interface LlamaEmbeddingContext {
  getEmbeddingFor(tokens: readonly LlamaToken[]): Promise<{ readonly vector: readonly number[] }>;
}

export interface LlamaSequence {
  readonly contextSize: number;
  readonly nextTokenIndex: number;
  clearHistory(): Promise<void>;
  adaptStateToTokens(tokens: readonly LlamaToken[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly LlamaToken[]): Promise<void>;
  evaluateWithMetadata(
    tokens: readonly LlamaToken[],
    metadata: { readonly confidence: boolean },
    options: Readonly<Record<string, unknown>>,
  ): AsyncIterable<{ readonly token: LlamaToken; readonly confidence?: number }>;
}

export interface Llama {
  loadModel(options: Readonly<Record<string, unknown>>): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: Readonly<Record<string, unknown>>): Promise<LlamaGrammar>;
}

/** Text of the chat with its special tokens apart from what people wrote. */
interface LlamaText {
  tokenize(tokenizer: LlamaTokenizer): LlamaToken[];
}

export interface ChatWrapper {
  generateContextState(options: { readonly chatHistory: readonly ChatItem[] }): {
    readonly contextText: LlamaText;
    readonly stopGenerationTriggers: readonly LlamaText[];
  };
}

export type ChatItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

export interface LlamaRuntime {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  resolveChatWrapper(model: LlamaModel, options: { readonly warningLogs: boolean }): ChatWrapper;
  readonly LlamaGrammarEvaluationState: new (of: {
    readonly model: LlamaModel;
    readonly grammar: LlamaGrammar;
  }) => LlamaGrammarState;
}

const PARTS = ['getLlama', 'resolveChatWrapper', 'LlamaGrammarEvaluationState'];

export function isLlamaRuntime(value: unknown): value is LlamaRuntime {
  if (typeof value !== 'object' || value === null) return false;
  const parts = new Map<string, unknown>(Object.entries(value));
  return PARTS.every((name) => typeof parts.get(name) === 'function');
}
