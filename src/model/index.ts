export { cached } from './cached-embedding.ts';
export { announced } from './calls/announced.ts';
export { CostCounter, costOf } from './calls/cost-counter.ts';
export {
  openSessionModel,
  type SessionModelOptions,
  type SessionModelSettings,
} from './calls/open-session-model.ts';
export { type Budget, startBudget } from './calls/start-budget.ts';
export type { DownloadProgress } from './download-hub-model.ts';
export type { EmbeddingModel } from './embedding-model.ts';
export { type GgufSettings, openGgufModel } from './gguf/open-gguf-model.ts';
export type {
  ChatMessage,
  ChatReply,
  ChatRequest,
  LanguageModel,
  TokenUse,
  ToolCall,
  ToolDefinition,
} from './language-model.ts';
export { modelFacts } from './model-facts.ts';
export type { JsonAbility, TokenPrice, WritingContract } from './model-profiles.ts';
export { EMBEDDING_FORMS, type EmbeddingSettings, openEmbeddingModel } from './open-embedding-model.ts';
export {
  type LanguageModelSettings,
  MODEL_FORMS,
  modelProfile,
  openLanguageModel,
} from './open-language-model.ts';
export { type LedgerEntry, TokenLedger } from './token-ledger.ts';
