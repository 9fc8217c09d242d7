import { CandorError } from '../../errors.ts';
import { BoundedMap } from '../../lib/index.ts';
import { orCancelled } from '../requests/retry-transient.ts';
import type { EmbeddingModel } from './embedding-model.ts';

/** Longer texts are embedded each time: they are no questions, and would fill the memory. */
const LONGEST_KEPT = 2_000;

/** A text that somebody waits for. */
interface Asked {
  readonly text: string;
  readonly vector: Promise<Float32Array>;
  readonly settle: (vector: Float32Array) => void;
  readonly fail: (error: unknown) => void;
  /** How many still wait. */
  wanted: number;
  /** Called when one of them waits no more. */
  onLeft: () => void;
}

/**
 * A model that remembers the vectors of the last `size` texts, so that a question is embedded once. Equal texts that
 * are asked for at the same time share one call, and what is asked for in one turn of the event loop goes together in
 * batches. Failures are not remembered. Closing it closes the model.
 */
export function cached(model: EmbeddingModel, size: number): EmbeddingModel {
  return new CachedEmbedding(model, size);
}

class CachedEmbedding implements EmbeddingModel {
  readonly id: string;
  readonly dimensions: number;
  readonly batchSize: number;
  readonly #model: EmbeddingModel;
  /** The one used last comes last. */
  readonly #kept: BoundedMap<string, Float32Array>;
  readonly #asked = new Map<string, Asked>();
  #next: Asked[] = [];

  constructor(model: EmbeddingModel, size: number) {
    this.id = model.id;
    this.dimensions = model.dimensions;
    this.batchSize = model.batchSize;
    this.#model = model;
    this.#kept = new BoundedMap(Math.max(size, 0));
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    const asked: Asked[] = [];
    const vectors = texts.map((text) => {
      const kept = this.#kept.refresh(text);
      if (kept !== undefined) return kept;
      const added = this.#ask(text);
      asked.push(added);
      return added.vector;
    });
    try {
      // Copies: what a caller does with its vectors is no business of the next one.
      return (await orCancelled(Promise.all(vectors), signal)).map((vector) => vector.slice());
    } finally {
      for (const entry of asked) {
        entry.wanted -= 1;
        entry.onLeft();
      }
    }
  }

  close(): Promise<void> {
    return this.#model.close();
  }

  /** The caller waits for it, and takes one from `wanted` when it does no more. */
  #ask(text: string): Asked {
    const known = this.#asked.get(text);
    // What nobody waits for any more is being stopped.
    const asked = known !== undefined && known.wanted > 0 ? known : this.#add(text);
    asked.wanted += 1;
    return asked;
  }

  #add(text: string): Asked {
    const asked = makeAsked(text);
    this.#asked.set(text, asked);
    if (this.#next.length === 0) setImmediate(() => this.#flush());
    this.#next.push(asked);
    return asked;
  }

  #flush(): void {
    const all = this.#next;
    this.#next = [];
    for (const asked of all) if (asked.wanted === 0) this.#forget(asked);
    const wanted = all.filter((asked) => asked.wanted > 0);
    for (let start = 0; start < wanted.length; start += this.batchSize)
      void this.#embedBatch(wanted.slice(start, start + this.batchSize));
  }

  /** Ends when its last text is wanted by nobody. Never rejects: every text is settled or failed. */
  async #embedBatch(batch: readonly Asked[]): Promise<void> {
    const stop = new AbortController();
    const onLeft = (): void => {
      if (batch.every(({ wanted }) => wanted === 0)) stop.abort();
    };
    for (const asked of batch) asked.onLeft = onLeft;
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await this.#model.embed(texts, stop.signal);
      for (const [index, asked] of batch.entries()) {
        const vector = vectors[index];
        if (vector === undefined) throw new CandorError('internal.bug', `${this.id} left a text out`);
        this.#keep(asked.text, vector);
        asked.settle(vector);
      }
    } catch (error) {
      for (const asked of batch) asked.fail(error);
    } finally {
      for (const asked of batch) this.#forget(asked);
    }
  }

  #keep(text: string, vector: Float32Array): void {
    if (text.length <= LONGEST_KEPT) this.#kept.set(text, vector);
  }

  #forget(asked: Asked): void {
    if (this.#asked.get(asked.text) === asked) this.#asked.delete(asked.text);
  }
}

function makeAsked(text: string): Asked {
  let settle: Asked['settle'] = () => undefined;
  let fail: Asked['fail'] = () => undefined;
  const vector = new Promise<Float32Array>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  // Whoever asked may have gone.
  vector.catch(() => undefined);
  return { text, vector, settle, fail, wanted: 0, onLeft: () => undefined };
}
