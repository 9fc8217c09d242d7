/** The vectors of a search file in memory, one index per model, read again when they have changed. */

import { CandorError } from '../../errors.ts';
import type { StateFile } from '../../store/index.ts';
import type { RankedContent } from './collect-hits.ts';
import { VectorIndex } from './vector-index.ts';

interface LoadedVectors {
  /** Generations of the documents and of the model's vectors. */
  readonly stamp: string;
  readonly index: VectorIndex;
  /** The content of every row. */
  readonly contents: Int32Array;
}

export class VectorCache {
  readonly #file: StateFile;
  readonly #loaded = new Map<string, LoadedVectors>();

  constructor(file: StateFile) {
    this.#file = file;
  }

  /** The accepted contents nearest to the vector. Throws `store.vector-invalid` for a vector of another length. */
  nearest(
    modelId: string,
    vector: Float32Array,
    { limit, isAccepted }: { readonly limit: number; readonly isAccepted: (content: number) => boolean },
  ): RankedContent[] {
    const loaded = this.#load(modelId);
    if (loaded === undefined) return [];
    const { index, contents } = loaded;
    checkVector(modelId, vector, index.dimensions);
    return index
      .search(vector, limit, (row) => isAccepted(contents[row] ?? 0))
      .map(({ row, score }) => ({ content: contents[row] ?? 0, score }));
  }

  #load(modelId: string): LoadedVectors | undefined {
    const model = this.#file
      .statement(
        `SELECT m.key AS key, m.dimensions AS dimensions, m.generation || ' ' || g.documents AS stamp
         FROM models AS m, generation AS g WHERE m.id = ?`,
      )
      .get(modelId);
    if (model === undefined) return undefined;
    const stamp = String(model.stamp);
    const known = this.#loaded.get(modelId);
    if (known?.stamp === stamp) return known;
    const loaded = { stamp, ...this.#read(Number(model.key), Number(model.dimensions)) };
    this.#loaded.set(modelId, loaded);
    return loaded;
  }

  #read(model: number, dimensions: number): Omit<LoadedVectors, 'stamp'> {
    const from = 'FROM vectors AS v JOIN contents AS c ON c.hash = v.hash WHERE v.model = ?';
    const count = Number(this.#file.statement(`SELECT COUNT(*) AS n ${from}`).get(model)?.n);
    const vectors = new Float32Array(count * dimensions);
    const bytes = new Uint8Array(vectors.buffer);
    const contents = new Int32Array(count);
    let row = 0;
    for (const { content, vector } of this.#file
      .statement(`SELECT c.key AS content, v.vector AS vector ${from} ORDER BY c.key`)
      .iterate(model)) {
      if (!(vector instanceof Uint8Array) || vector.length !== dimensions * 4)
        throw new CandorError('store.unusable', 'a stored vector has not the length of its model');
      contents[row] = Number(content);
      bytes.set(vector, row * dimensions * 4);
      row += 1;
    }
    return { index: VectorIndex.build(dimensions, vectors), contents };
  }
}

/** Refuses a vector that has not the length of the others, or holds a value that is no number. */
export function checkVector(modelId: string, vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new CandorError(
      'store.vector-invalid',
      `a vector of ${modelId} has ${vector.length} numbers; those kept of it have ${dimensions}`,
    );
  }
  if (!vector.every(Number.isFinite))
    throw new CandorError(
      'store.vector-invalid',
      `a vector of ${modelId} holds a value that is no finite number`,
    );
}
