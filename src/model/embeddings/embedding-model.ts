/** What Candor needs of a sentence encoder. One file per adapter; `model/index.ts` opens them by name. */

export interface EmbeddingModel {
  /** Model and version: vectors kept under another id are not used. */
  readonly id: string;
  readonly dimensions: number;
  /** Texts that one call takes best; callers batch by it. */
  readonly batchSize: number;
  /** Unit vectors, one per text, in the order of the texts. Throws `model.*`. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
