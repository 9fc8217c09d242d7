/** Vectors of a workspace: in a column of pgvector where the server has it, else as bytes, searched in memory. */
import { CandorError } from '../../errors.ts';
import { inTransaction, type RunSql, type SharedRow, type SharedState } from '../../store/index.ts';
import type { RankedContent } from './collect-hits.ts';
import { PGVECTOR_TABLE } from './shared-search-schema.ts';
import { checkVector } from './vector-cache.ts';
import { VectorIndex } from './vector-index.ts';

export interface SharedModel {
  readonly key: number;
  readonly dimensions: number;
  /** Changes with the vectors of the model and with the documents of the workspace. */
  readonly stamp: string;
}

interface LoadedVectors {
  readonly stamp: string;
  readonly index: VectorIndex;
  readonly contents: readonly number[];
}

const VECTORS_AT_ONCE = 1_000;
const ROWS_AT_ONCE = 5_000;

/** Makes the table of vectors where the server has pgvector and lets us use it; says whether it does. */
export async function preparePgvector(state: SharedState): Promise<boolean> {
  const [row] = await state.run(
    `SELECT (SELECT count(*) FROM pg_extension WHERE extname = 'vector') AS installed,
       (SELECT count(*) FROM pg_available_extensions WHERE name = 'vector') AS available`,
  );
  if (Number(row?.available) + Number(row?.installed) === 0) return false;
  try {
    if (Number(row?.installed) === 0) await state.run('CREATE EXTENSION IF NOT EXISTS vector');
    await state.run(PGVECTOR_TABLE);
    return true;
  } catch (error) {
    // Not ours to install, or in a schema that is not on our path: the vectors are searched in memory then.
    const isRefused =
      error instanceof CandorError && ['42501', '42704'].includes(String(error.data.sqlState));
    if (isRefused) return false;
    throw error;
  }
}

export async function findModel(
  run: RunSql,
  workspace: number,
  modelId: string,
): Promise<SharedModel | undefined> {
  const [row] = await run(
    `SELECT m.key, m.dimensions, m.generation || ' ' || w.generation AS stamp
     FROM candor.search_models m JOIN candor.search_workspaces w ON w.key = m.workspace
     WHERE m.workspace = $1 AND m.id = $2`,
    [workspace, modelId],
  );
  if (row === undefined) return undefined;
  return { key: Number(row.key), dimensions: Number(row.dimensions), stamp: String(row.stamp) };
}

export interface PutOptions {
  readonly workspace: number;
  readonly modelId: string;
  readonly hasPgvector: boolean;
}

/** Keeps vectors by the hash of their text, all or none. Throws `store.vector-invalid`. */
export async function putSharedVectors(
  run: RunSql,
  vectors: ReadonlyMap<string, Float32Array>,
  { workspace, modelId, hasPgvector }: PutOptions,
): Promise<void> {
  const [first] = vectors.values();
  if (first === undefined) return;
  await inTransaction(run, async () => {
    const [model] = await run(
      `INSERT INTO candor.search_models (workspace, id, dimensions) VALUES ($1, $2, $3)
       ON CONFLICT (workspace, id) DO UPDATE SET generation = search_models.generation + 1
       RETURNING key, dimensions`,
      [workspace, modelId, first.length],
    );
    const entries = [...vectors];
    for (const [, vector] of entries) checkVector(modelId, vector, Number(model?.dimensions));
    for (let start = 0; start < entries.length; start += VECTORS_AT_ONCE) {
      const part = entries.slice(start, start + VECTORS_AT_ONCE);
      await run(hasPgvector ? PUT_EMBEDDINGS : PUT_VECTORS, [
        model?.key,
        part.map(([hash]) => hash),
        part.map(([, vector]) => (hasPgvector ? vectorText(vector) : vectorBytes(vector))),
      ]);
    }
  });
}

const PUT_EMBEDDINGS = `INSERT INTO candor.search_embeddings (model, hash, embedding)
  SELECT $1, r.hash, r.embedding::vector FROM unnest($2::text[], $3::text[]) AS r (hash, embedding)
  ON CONFLICT (model, hash) DO UPDATE SET embedding = excluded.embedding`;
const PUT_VECTORS = `INSERT INTO candor.search_vectors (model, hash, vector)
  SELECT $1, r.hash, r.vector FROM unnest($2::text[], $3::bytea[]) AS r (hash, vector)
  ON CONFLICT (model, hash) DO UPDATE SET vector = excluded.vector`;

/** As pgvector reads it: `[0.6,0.8]`. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The bytes of one workspace in memory, one index per model, read again when they have changed. */
export class SharedVectorCache {
  readonly #run: RunSql;
  readonly #workspace: number;
  readonly #loaded = new Map<string, LoadedVectors>();

  constructor(run: RunSql, workspace: number) {
    this.#run = run;
    this.#workspace = workspace;
  }

  /** The accepted contents nearest to the vector. */
  async nearest(
    model: SharedModel & { readonly id: string },
    vector: Float32Array,
    { limit, isAccepted }: { readonly limit: number; readonly isAccepted: (content: number) => boolean },
  ): Promise<RankedContent[]> {
    const { index, contents } = await this.#load(model);
    return index
      .search(vector, limit, (row) => isAccepted(contents[row] ?? 0))
      .map(({ row, score }) => ({ content: contents[row] ?? 0, score }));
  }

  async #load(model: SharedModel & { readonly id: string }): Promise<LoadedVectors> {
    const known = this.#loaded.get(model.id);
    if (known?.stamp === model.stamp) return known;
    const rows: SharedRow[] = [];
    for (let last = 0; ; ) {
      const part = await this.#run(
        `SELECT c.key AS content, v.vector FROM candor.search_vectors v
         JOIN candor.search_contents c ON c.workspace = $1 AND c.hash = v.hash
         WHERE v.model = $2 AND c.key > $3 ORDER BY c.key LIMIT ${ROWS_AT_ONCE}`,
        [this.#workspace, model.key, last],
      );
      rows.push(...part);
      if (part.length < ROWS_AT_ONCE) break;
      last = Number(part.at(-1)?.content);
    }
    const vectors = new Float32Array(rows.length * model.dimensions);
    const bytes = new Uint8Array(vectors.buffer);
    rows.forEach(({ vector }, row) => {
      if (!(vector instanceof Uint8Array) || vector.length !== model.dimensions * 4)
        throw new CandorError('store.unusable', 'a stored vector has not the length of its model');
      bytes.set(vector, row * model.dimensions * 4);
    });
    const index = VectorIndex.build(model.dimensions, vectors);
    const loaded = { stamp: model.stamp, index, contents: rows.map(({ content }) => Number(content)) };
    this.#loaded.set(model.id, loaded);
    return loaded;
  }
}
