import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type PythonEnvironment, preparePython } from '../python-environment.ts';
import type { DensePair } from './dense-pairs.ts';

export const SCIPY_VERSION = '1.16.3';

const SCRIPT = fileURLToPath(new URL('./scipy_dense.py', import.meta.url));
const OUTCOME = z.object({ seconds: z.number(), totals: z.array(z.number()) });

/** A Python with the pinned SciPy. */
export function prepareScipy(
  mayInstall: boolean,
  onProgress: (line: string) => void,
): Promise<PythonEnvironment> {
  const wanted = {
    name: `SciPy ${SCIPY_VERSION}`,
    requirement: `scipy==${SCIPY_VERSION}`,
    folder: `scipy-${SCIPY_VERSION}`,
    python: '3.11',
  };
  return preparePython(wanted, { mayInstall, onProgress });
}

/** S_dense of every pair, `rounds` times over; the seconds are those of computing alone, for all rounds. */
export async function scipyDense(
  python: string,
  pairs: readonly DensePair[],
  rounds: number,
): Promise<z.infer<typeof OUTCOME>> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-dense-'));
  try {
    await writeFile(join(folder, 'request.json'), JSON.stringify({ pairs, rounds }));
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const { status, stdout, stderr } = spawnSync(python, [SCRIPT, folder], { encoding: 'utf8', env });
    if (status !== 0) throw new Error(`SciPy failed: ${stderr}`);
    return OUTCOME.parse(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
