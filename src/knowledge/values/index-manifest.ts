/** What a stored index says of itself; a reader that expects anything else does not read on. */
import { z } from 'zod';

/** Raised when the form of the file or the meaning of a part changes; older files are then built anew. */
export const INDEX_VERSION = 3;

/** How texts that are only similar are found. Defaults: thoth.md section 13. */
export interface IndexParameters {
  /** `grams`: posting lists, exact. `minhash-lsh`: as published, estimated. */
  readonly candidates: 'grams' | 'minhash-lsh';
  readonly gram: number;
  readonly permutations: number;
  readonly threshold: number;
  readonly bands: number;
  readonly rows: number;
  readonly seed: number;
}

const ColumnSchema = z.object({
  id: z.string(),
  /** Distinct values of the column, as far as is known. */
  distinct: z.number(),
  /** Those of them that are in the index. */
  kept: z.number(),
  use: z.enum(['similar', 'exact', 'literal', 'none']),
  because: z.string(),
});

export type IndexedColumn = Readonly<z.infer<typeof ColumnSchema>>;

export const ManifestSchema = z.object({
  version: z.number(),
  /** Hash of the values that it was built from. */
  source: z.string(),
  /** Of the schema of the database. */
  fingerprint: z.string(),
  parameters: z.object({
    candidates: z.enum(['grams', 'minhash-lsh']),
    gram: z.number(),
    permutations: z.number(),
    threshold: z.number(),
    bands: z.number(),
    rows: z.number(),
    seed: z.number(),
  }),
  /** Values, one per column and text, without numbers and dates. */
  size: z.number(),
  maxWords: z.number(),
  columns: z.array(ColumnSchema),
});

export type IndexManifest = Readonly<z.infer<typeof ManifestSchema>>;
