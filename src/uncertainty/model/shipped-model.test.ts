import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ASKED_GROUPS, featureSpace } from '../features/feature-space.ts';
import { openUncertaintyModel, readShippedModel, SHIPPED_MODEL_FILE } from './open-model.ts';
import type { UncertaintyModel } from './uncertainty-model.ts';

/** Written with the model by `scripts/train-uncertainty.ts`. */
const ROW = z.object({
  values: z.array(z.union([z.number(), z.string(), z.null()])),
  logOdds: z.number(),
});
const dumpFile = new URL('../../../test/fixtures/uncertainty/shipped-scores.jsonl', import.meta.url);

let model: UncertaintyModel;
let file: Uint8Array;
beforeAll(async () => {
  [model, file] = await Promise.all([openUncertaintyModel(), readShippedModel()]);
});

describe('the model that comes with Candor', () => {
  it('reads the features of the query, the question, the linking and the other candidates', () => {
    const space = featureSpace([...ASKED_GROUPS, 'fault', 'agreement']);
    expect(model.space.features.map(({ name }) => name)).toEqual(space.features.map(({ name }) => name));
  });

  it('is at most 1 MB', () => expect(file.length).toBeLessThanOrEqual(1_000_000));

  it('scores 20 rows as it did when it was trained, to 1e-9', async () => {
    const lines = (await readFile(dumpFile, 'utf8')).trim().split('\n');
    const rows = lines.map((line) => ROW.parse(JSON.parse(line)));
    expect(rows).toHaveLength(20);
    const row = new Float64Array(model.space.features.length);
    for (const { values, logOdds } of rows) {
      expect(values).toHaveLength(row.length);
      const present = values.map((value) => value ?? Number.NaN);
      model.encode(present, 0, row);
      expect(Math.abs(model.nodes.score(row) - logOdds)).toBeLessThan(1e-9);
    }
    expect(new Set(rows.map(({ logOdds }) => logOdds)).size).toBeGreaterThan(10);
  });

  it('names its command and its data by hash, and how good it was on databases it had not seen', () => {
    const { about, data, scores } = model;
    expect(about).toContain('npx tsx scripts/train-uncertainty.ts');
    expect(data['spider-train']).toMatch(/CC BY-SA 4\.0.*sha256 [0-9a-f]{64}$/);
    expect(data['bird-train']).toMatch(/CC BY-SA 4\.0.*sha256 [0-9a-f]{64}$/);
    expect(data['bird-predictions']).toMatch(/eight databases of BIRD dev.*sha256 [0-9a-f]{64}$/);
    expect(scores['node AUC, mutated alone']).toBeGreaterThan(0.8);
    expect(scores['query AUC, predicted alone']).toBeGreaterThan(0.8);
  });

  it('is brought along when Candor is built', async () => {
    const script = await readFile(new URL('../../../scripts/copy-model-files.mjs', import.meta.url), 'utf8');
    const [, folder = ''] = /\/src\/(.*)\/[^/]+$/.exec(SHIPPED_MODEL_FILE.pathname) ?? [];
    expect(folder).toBe('uncertainty/model/shipped');
    expect(script).toContain(`'${folder}'`);
  });
});
