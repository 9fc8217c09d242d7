/** The trained ranker that comes with Candor. */
import { readFile } from 'node:fs/promises';
import { decodeModelFile, makeScorer } from '../../../boosting/index.ts';
import { COLUMN_FEATURES } from './column-features.ts';
import { CONTEXT_FEATURES } from './context-features.ts';
import type { LinkForests } from './rank-schema.ts';
import { TABLE_FEATURES } from './table-features.ts';

/** Written by `scripts/train-linker.ts`. */
export const FOREST_FILES = { first: 'first.trees', second: 'second.trees', table: 'table.trees' } as const;

const FEATURES = {
  first: COLUMN_FEATURES,
  second: [...COLUMN_FEATURES, ...CONTEXT_FEATURES],
  table: TABLE_FEATURES,
} as const;

let opened: Promise<LinkForests> | undefined;

/** Read at the first call, about 60 ms. Throws `boosting.model-invalid` when a file is not of this version. */
export function openLinkForests(): Promise<LinkForests> {
  opened ??= readForests();
  return opened;
}

async function readForests(): Promise<LinkForests> {
  const [first, second, table] = await Promise.all([
    readForest('first'),
    readForest('second'),
    readForest('table'),
  ]);
  return { first, second, table };
}

async function readForest(name: keyof typeof FOREST_FILES): Promise<LinkForests['first']> {
  const file = new URL(`./forests/${FOREST_FILES[name]}`, import.meta.url);
  const { model } = decodeModelFile(await readFile(file, 'utf8'), FOREST_FILES[name], {
    features: FEATURES[name],
  });
  return makeScorer(model);
}
