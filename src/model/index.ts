export { type CallUse, CostCounter, costOf } from './calls/cost-counter.ts';
export {
  type LanguageModelSettings,
  openLanguageModel,
} from './calls/open-language-model.ts';
export {
  announced,
  openSessionModel,
  type SessionModelSettings,
} from './calls/open-session-model.ts';
export { type Budget, startBudget } from './calls/start-budget.ts';
export { cached } from './embeddings/cached-embedding.ts';
export type { EmbeddingModel } from './embeddings/embedding-model.ts';
export { type EmbeddingSettings, openEmbeddingModel } from './embeddings/open-embedding-model.ts';
export { openGgufModel } from './gguf/open-gguf-model.ts';
export type {
  ChatMessage,
  ChatReply,
  ChatRequest,
  LanguageModel,
  ToolCall,
  ToolDefinition,
} from './language-model/language-model.ts';
export { modelFacts } from './language-model/model-facts.ts';
export type { WritingContract } from './language-model/model-profiles.ts';
export { type LedgerEntry, TokenLedger } from './language-model/token-ledger.ts';
