/** Clusters on disk: `clusters.json` beside the other derived files, with what they were made of. */
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writeWhole } from '../../store/index.ts';
import type { Clustering } from './clusters.ts';

/** What the clusters were made of; where it is no longer so, they are old. */
export interface ClusteringManifest {
  /** Days of the usage window, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Of the catalog. */
  readonly catalogFingerprint: string;
}

export type StoredClustering =
  | { readonly kind: 'absent' }
  /** The file is not what was written; it may be made anew. */
  | { readonly kind: 'damaged'; readonly file: string }
  | { readonly kind: 'stored'; readonly clustering: Clustering; readonly manifest: ClusteringManifest };

const FILE = 'clusters.json';
const DAY = z.iso.date();
const SETTINGS = z.strictObject({
  minTotal: z.number(),
  minUsers: z.number(),
  minTablesPerUser: z.number(),
  size: z.number(),
  components: z.number().exactOptional(),
  seed: z.number(),
});
const CONTENT = z.strictObject({
  version: z.literal(1),
  manifest: z.strictObject({ from: DAY, to: DAY, catalogFingerprint: z.string() }),
  clustering: z.strictObject({
    settings: SETTINGS,
    clusters: z.array(
      z.strictObject({
        id: z.number(),
        tables: z.array(z.strictObject({ tableId: z.string(), score: z.number() })),
      }),
    ),
    users: z.array(
      z.strictObject({
        user: z.string(),
        clusters: z.array(z.strictObject({ id: z.number(), weight: z.number() })),
      }),
    ),
    at: DAY,
    skipped: z.string().exactOptional(),
    isUnsettled: z.literal(true).exactOptional(),
  }),
});

/** Writes the file whole: whoever reads it meanwhile gets the old one or the new one. */
export async function writeClustering(
  directory: string,
  clustering: Clustering,
  manifest: ClusteringManifest,
): Promise<void> {
  await writeWhole(join(directory, FILE), `${JSON.stringify({ version: 1, manifest, clustering })}\n`);
}

export async function readClustering(directory: string): Promise<StoredClustering> {
  const file = join(directory, FILE);
  const text = await readIfThere(file);
  if (text === undefined) return { kind: 'absent' };
  const parsed = CONTENT.safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'damaged', file };
  const { clustering, manifest } = parsed.data;
  return { kind: 'stored', clustering, manifest };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
