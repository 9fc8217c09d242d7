import { readFileSync } from 'node:fs';

export interface Injection {
  readonly kind: string;
  readonly text: string;
}

/** The texts of the corpus, with what cannot stand in a line put back. */
export function readTexts(): readonly Injection[] {
  const lines = readFileSync(new URL('texts.txt', import.meta.url), 'utf8')
    .split('\n')
    .slice(1);
  const found: Injection[] = [];
  let kind = '';
  for (const line of lines) {
    if (line.startsWith('## ')) kind = line.slice(3);
    else if (line !== '') found.push({ kind, text: unescaped(line) });
  }
  return found;
}

function unescaped(line: string): string {
  return line
    .replaceAll('⏎', '\n')
    .replace(/\\u\{([0-9a-f]+)\}/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
