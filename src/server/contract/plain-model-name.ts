import { basename } from 'node:path';

/** A model of a file is named by its whole path, which is nobody's business: `gguf:/srv/m.gguf` → `gguf:m.gguf`. */
export function plainModelName(name: string): string {
  return name.startsWith('gguf:') ? `gguf:${basename(name)}` : name;
}
