import { appendFileSync, cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMotorsFile } from '../../../bench/make-motors-file.ts';
import { runCandor } from './run-candor.ts';

/**
 * A folder with the Motors project and a small database, onboarded. Words and names alone: what the sentence encoder adds
 * is measured by bench/table-retrieval.ts.
 */
export async function makeMotorsProject(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `candor-${name}-`));
  for (const part of ['knowledge', 'semantics', 'examples', 'candor.yml'])
    cpSync(join('examples/motors', part), join(folder, part), { recursive: true });
  appendFileSync(join(folder, 'candor.yml'), '\nsearch: { embedding: none }\n');
  await makeMotorsFile(join(folder, 'motors.db'), 'sqlite', 0.02);
  const { code, stderr } = await runCandor(['onboard'], folder);
  if (code !== 0) throw new Error(`onboard: ${stderr}`);
  return folder;
}
