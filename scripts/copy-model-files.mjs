// Trained models are read beside the code that uses them: the compiler leaves them behind, this brings them along.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [
  'reasoning/grounded/linking/forests',
  'reasoning/grounded/rate/models',
  'reasoning/grounded/question/vocabulary/data',
  'uncertainty/model/shipped',
];

const root = join(import.meta.dirname, '..');
for (const folder of FOLDERS) {
  const target = join(root, 'dist', folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(root, 'src', folder), target, { recursive: true });
}
