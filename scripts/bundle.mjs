// The JavaScript of the package: a few files in the place of two thousand, which Node would open one by one at every start.
// Each entry lies where the compiler would put it; what entries share lies in `dist/chunks/`.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const target = join(root, 'dist');

/** What is run or imported by its path: the commands, the library, and the processes and threads that they start. */
const ENTRIES = JSON.parse(readFileSync(join(import.meta.dirname, 'entries.json'), 'utf8'));

/** Packages that come along in the bundle, so nobody installs them. */
const BUILT_IN = JSON.parse(readFileSync(join(import.meta.dirname, 'built-in.json'), 'utf8'));

/** What lies in one file with all that it needs, from the bottom up. */
const LAYERS = {
  start: ['cli/main.ts'],
  engine: ['database/embedded/executor.ts', 'database/embedded/sqlite/sqlite.ts'],
  statements: ['sql/parser/parse.ts'],
  question: ['cli/commands/question/ask.ts'],
};

/** Lines stay where they are, so do maps. A module that moves into a chunk still finds what lies beside its own place: model files, processes, the web chat. */
const ownPlaces = {
  name: 'own-places',
  transform(code, id) {
    if (/import\.meta\.(?:dirname|filename)/.test(code)) throw new Error(`${id}: use import.meta.url`);
    const place = relative(source, id).split(sep).join('/').replace(/\.ts$/, '.js');
    return code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', `__ownUrl(${JSON.stringify(place)})`), map: null }
      : null;
  },
  renderChunk(code, { fileName }) {
    const found = code.replace(/__ownUrl\("([^"]+)"\)/g, (_, place) => {
      const way = posix.relative(dirname(fileName), place);
      return `new URL(${JSON.stringify(way)}, import.meta.url).href`;
    });
    return { code: found, map: null };
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(source, `${entry}.ts`)])),
  platform: 'node',
  // Packages stay packages: npm installs them, and some are looked for only where they are used. Those that every command needs come
  // along: Node took 50 ms to find and load the eighty files of the reader of YAML, and as long for the hundred of zod.
  external: (id) => !id.startsWith('.') && !isAbsolute(id) && !BUILT_IN.includes(id),
  resolve: { alias: { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') } },
  plugins: [ownPlaces],
  // What others share with an entry may lie in its file.
  preserveEntrySignatures: 'allow-extension',
  // Our modules do nothing when they are imported, so what a command does not use of a folder's face stays out of its chunks.
  treeshake: { moduleSideEffects: (_, isExternal) => isExternal },
});
/**
 * Says for a module which of four files it belongs to: what the program needs to start, what a process of an engine needs, what SQL is read
 * with, all else that a question needs; null: wherever those who import it have it in common. Each builds on the ones before it, so none
 * waits for one that waits for it.
 */
async function findLayers() {
  const { output } = await bundle.generate({ dir: target });
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const layers = new Map();
  const place = (layer, { fileName, moduleIds, imports }, seen = new Set()) => {
    if (seen.has(fileName)) return;
    seen.add(fileName);
    for (const id of moduleIds) if (!layers.has(id)) layers.set(id, layer);
    for (const name of imports) if (chunks.has(name)) place(layer, chunks.get(name), seen);
  };
  for (const [layer, paths] of Object.entries(LAYERS))
    for (const path of paths) {
      const id = join(source, path);
      const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(id));
      if (chunk === undefined) throw new Error(`${path} is in no file of the package`);
      place(layer, chunk);
    }
  // An entry does what it is for as soon as it is read.
  for (const entry of ENTRIES) layers.delete(join(source, `${entry}.ts`));
  return (id) => layers.get(id) ?? null;
}

const isStale = (path) => /\.js(?:\.map)?$/.test(path) && path.split(sep)[0] !== 'web';
for (const path of readdirSync(target, { recursive: true }).filter(isStale)) rmSync(join(target, path));
await bundle.write({
  dir: target,
  format: 'esm',
  // Node finds, opens and links each file by itself, half a millisecond of processor time each: what a question needs lies in a few.
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: await findLayers(), debugName: 'layers' }],
  },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // A stack trace names functions; `node --enable-source-maps` names lines of the sources too.
  sourcemap: true,
  // V8 reads every character at each start: blanks, comments and long names of what is local are left out, names of functions and classes stay.
  minify: {
    mangle: { toplevel: false, keepNames: { function: true, class: true } },
    compress: { keepNames: { function: true, class: true } },
    codegen: { removeWhitespace: true },
  },
});
await bundle.close();
