import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { SoftmaxExample, SoftmaxSettings } from '../../src/softmax/index.ts';

const SCRIPT = fileURLToPath(new URL('./sklearn_logistic.py', import.meta.url));
const OUTCOME = z.object({
  /** Of naming features by numbers and of training, on one thread. */
  seconds: z.number(),
  cpuSeconds: z.number(),
  loss: z.number(),
  rightPercent: z.number(),
});

/** Trains scikit-learn's logistic regression on the learned examples; loss and right answers are of the held-out ones. */
export async function runLogistic(
  python: string,
  sets: { readonly learned: readonly SoftmaxExample[]; readonly heldOut: readonly SoftmaxExample[] },
  { l2, minCount }: Pick<SoftmaxSettings, 'l2' | 'minCount'>,
): Promise<z.infer<typeof OUTCOME>> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-softmax-'));
  try {
    await writeFile(join(folder, 'request.json'), JSON.stringify({ ...sets, l2, minCount }));
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const { status, stdout, stderr } = spawnSync(python, [SCRIPT, folder], { encoding: 'utf8', env });
    if (status !== 0) throw new Error(`scikit-learn failed: ${stderr}`);
    return OUTCOME.parse(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
