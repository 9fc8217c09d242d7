import type { StateFile } from '../../store/index.ts';
import { checkVector } from './vector-cache.ts';

/** Keeps vectors by the hash of their text, all or none. Throws `store.vector-invalid`. */
export async function putVectors(
  file: StateFile,
  modelId: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const [first] = vectors.values();
  if (first === undefined) return;
  await file.longTransaction(async () => {
    file
      .statement('INSERT INTO models (id, dimensions, generation) VALUES (?, ?, 0) ON CONFLICT DO NOTHING')
      .run(modelId, first.length);
    const model = file.statement('SELECT key, dimensions FROM models WHERE id = ?').get(modelId);
    const put = file.statement(
      `INSERT INTO vectors (model, hash, vector) VALUES (?, ?, ?)
       ON CONFLICT (model, hash) DO UPDATE SET vector = excluded.vector`,
    );
    for (const [hash, vector] of vectors) {
      checkVector(modelId, vector, Number(model?.dimensions));
      put.run(Number(model?.key), hash, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    }
    file.statement('UPDATE models SET generation = generation + 1 WHERE id = ?').run(modelId);
  });
}
