import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { MadeRows } from './make-model.ts';

const SCRIPT = fileURLToPath(new URL('./lightgbm_predict.py', import.meta.url));
const OUTCOME = z.object({ p50: z.number(), p95: z.number(), batch: z.number() });

/** Microseconds a query: predicted one by one, and `batch` when all are predicted in one call. */
export type PeerTimes = z.infer<typeof OUTCOME>;

/** LightGBM's own trees of the same rows, as many and as large, predicting the nodes of each query, one thread. */
export async function timeLightgbm(
  python: string,
  { rows, labels, starts, names }: MadeRows,
  { trees, rounds }: { readonly trees: number; readonly rounds: number },
): Promise<PeerTimes> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-uncertainty-'));
  try {
    await writeFile(
      join(folder, 'request.json'),
      JSON.stringify({ columns: names.length, starts, trees, rounds }),
    );
    await writeFile(join(folder, 'labels.bin'), labels);
    await writeFile(
      join(folder, 'rows.bin'),
      new Uint8Array(Float32Array.from(rows.flatMap((row) => [...row])).buffer),
    );
    const { status, stdout, stderr } = spawnSync(python, [SCRIPT, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`LightGBM failed: ${stderr}`);
    return OUTCOME.parse(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
