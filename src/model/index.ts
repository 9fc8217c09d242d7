export { cached } from './cached-embedding.ts';
export type { DownloadProgress } from './download-hub-model.ts';
export type { EmbeddingModel } from './embedding-model.ts';
export { EMBEDDING_FORMS, type EmbeddingSettings, openEmbeddingModel } from './open-embedding-model.ts';
