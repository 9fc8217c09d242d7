// Trained models are read beside the code that uses them: the compiler leaves them behind, this brings them along.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [
  'reasoning/grounded/linking/forests',
  'reasoning/grounded/rate/models',
  'reasoning/grounded/vocabulary/data',
  'uncertainty/model/shipped',
];

const root = join(import.meta.dirname, '..');
for (const folder of FOLDERS)
  cpSync(join(root, 'src', folder), join(root, 'dist', folder), { recursive: true });
