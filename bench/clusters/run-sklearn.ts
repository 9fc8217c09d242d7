import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AccessMatrix } from '../../src/knowledge/clusters/accesses/access-matrix.ts';

const SCRIPT = fileURLToPath(new URL('./sklearn_ica.py', import.meta.url));
const OUTCOME = z.object({ seconds: z.number(), iterations: z.number(), peakMb: z.number() });

/** Fits scikit-learn's FastICA to the matrix made dense; the seconds are those of the fit alone. */
export async function runSklearn(
  python: string,
  { starts, columns, values, users }: AccessMatrix,
  components: number,
): Promise<z.infer<typeof OUTCOME> & { readonly scores: Float64Array }> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-ica-'));
  try {
    await writeFile(join(folder, 'request.json'), JSON.stringify({ components, users: users.length }));
    for (const [name, numbers] of Object.entries({ starts, columns, values }))
      await writeFile(join(folder, `${name}.bin`), new Uint8Array(numbers.buffer));
    const { status, stdout, stderr } = spawnSync(python, [SCRIPT, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`scikit-learn failed: ${stderr}`);
    const bytes = await readFile(join(folder, 'scores.bin'));
    return { ...OUTCOME.parse(JSON.parse(stdout)), scores: new Float64Array(Uint8Array.from(bytes).buffer) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
