import { spawnSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { TrainingSettings, TreeModel } from '../../src/boosting/index.ts';
import type { BoostingSet } from './boosting-sets.ts';
import { readLightgbmDump } from './read-lightgbm-dump.ts';

const SCRIPT = fileURLToPath(new URL('./lightgbm_peer.py', import.meta.url));
const OUTCOME = z.object({ seconds: z.number(), cpuSeconds: z.number() });

export interface PeerOutcome {
  /** Of binning and training alone, on one thread. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Log-odds of the held-out rows, in their order. */
  readonly scores: Float64Array;
  /** The peer's own model, in our form. */
  readonly model: TreeModel;
}

/** Trains LightGBM on the rows of a set that are not held out, with the same settings. */
export async function runLightgbm(
  python: string,
  { names, rows, features, labels, heldOut }: BoostingSet,
  { trees, learningRate, leaves }: Pick<TrainingSettings, 'trees' | 'learningRate' | 'leaves'>,
): Promise<PeerOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-boosting-'));
  try {
    const request = { rows, columns: names.length, trees, learningRate, leaves };
    await writeFile(join(folder, 'request.json'), JSON.stringify(request));
    await writeFile(join(folder, 'labels.bin'), labels);
    await writeFile(join(folder, 'heldOut.bin'), heldOut);
    const file = await open(join(folder, 'features.bin'), 'w');
    for (const column of features)
      await file.writeFile(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    await file.close();
    const { status, stdout, stderr } = spawnSync(python, [SCRIPT, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`LightGBM failed: ${stderr}`);
    const bytes = await readFile(join(folder, 'scores.bin'));
    return {
      ...OUTCOME.parse(JSON.parse(stdout)),
      scores: new Float64Array(Uint8Array.from(bytes).buffer),
      model: readLightgbmDump(JSON.parse(await readFile(join(folder, 'dump.json'), 'utf8')), names),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
