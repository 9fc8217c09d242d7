export { cached } from './cached-embedding.ts';
export type { DownloadProgress } from './download-hub-model.ts';
export type { EmbeddingModel } from './embedding-model.ts';
export type {
  ChatMessage,
  ChatReply,
  ChatRequest,
  LanguageModel,
  TokenUse,
  ToolCall,
  ToolDefinition,
} from './language-model.ts';
export { EMBEDDING_FORMS, type EmbeddingSettings, openEmbeddingModel } from './open-embedding-model.ts';
export { type LedgerEntry, TokenLedger } from './token-ledger.ts';
