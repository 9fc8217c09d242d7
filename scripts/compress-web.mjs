// Text of the web chat lies in the package packed once, and only so: the server unpacks it for whoever does not take Brotli.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const web = join(import.meta.dirname, '../dist/web');
const SMALLEST = 1_000;

for (const name of readdirSync(web, { recursive: true })) {
  if (!/\.(?:js|css|svg)$/.test(name)) continue;
  const path = join(web, name);
  const bytes = readFileSync(path);
  if (bytes.length < SMALLEST) continue;
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
  rmSync(path);
}
