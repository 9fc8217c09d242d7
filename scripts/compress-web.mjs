// Text of the web chat is compressed once, at build time: the server gives out what the browser takes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const web = join(import.meta.dirname, '../dist/web');
const SMALLEST = 1_000;

for (const name of readdirSync(web, { recursive: true })) {
  if (!/\.(?:js|css|svg)$/.test(name)) continue;
  const path = join(web, name);
  const bytes = readFileSync(path);
  if (bytes.length < SMALLEST) continue;
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
}
