/**
 * The web chat in Chromium: bytes of its first route as the browser gets them, with and without the editor and the charts, bytes of
 * the pages beside it, and the time from a cold load until one can type. `npx tsx bench/web.ts [--smoke] [--output json]`; build first.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { makeMotorsProject } from '../test/e2e/cli/make-motors-project.ts';
import { openBrowser } from '../test/web/open-browser.ts';
import { serveProject } from '../test/web/serve-process.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const WEB = join(import.meta.dirname, '../dist/web');
const LOADS = 20;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

const options = readBenchOptions();
const manifest = JSON.parse(readFileSync(join(WEB, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
const first = filesFrom(['index.html']);
const lazy = lazyOf(['index.html']);
const isPage = (entry: string): boolean => /-page\.tsx$/.test(entry);
const inChat = filesFrom(lazy.filter((entry) => !isPage(entry))).filter((file) => !first.includes(file));
const elsewhere = filesFrom(lazy.filter(isPage)).filter((file) => ![...first, ...inChat].includes(file));
const rows = [
  ...first.map((file) => row('first', file)),
  ...inChat.map((file) => row('when needed', file)),
  ...elsewhere.map((file) => row('other pages', file)),
];
const loads = await measureLoads(options.isSmoke ? 2 : LOADS);
const sum = (when: string): number =>
  rows.filter((each) => each.when === when).reduce((total, { gzipKb }) => total + gzipKb, 0);
printReport(
  {
    bench: 'web',
    about: 'the chat route: gzip kB by chunk, and a cold load until one can type',
    rows,
    figures: {
      firstGzipKb: sum('first'),
      chatGzipKb: sum('first') + sum('when needed'),
      otherPagesGzipKb: sum('other pages'),
      interactiveP50Ms: percentile(loads, 0.5),
      interactiveMaxMs: Math.max(...loads),
    },
  },
  options,
);

/** The files that are fetched with these entries. */
function filesFrom(entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const walk = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const style of chunk.css ?? []) seen.add(style);
    for (const next of chunk.imports ?? []) walk(next);
  };
  for (const entry of entries) walk(entry);
  return [...seen].filter((file) => /\.(?:js|css)$/.test(file));
}

function lazyOf(entries: readonly string[]): readonly string[] {
  return entries.flatMap((entry) => {
    const { imports = [], dynamicImports = [] } = manifest[entry] ?? { file: '' };
    return [...dynamicImports, ...imports.flatMap((next) => manifest[next]?.dynamicImports ?? [])];
  });
}

function row(when: string, file: string) {
  const path = join(WEB, file);
  const bytes = existsSync(`${path}.br`)
    ? brotliDecompressSync(readFileSync(`${path}.br`))
    : readFileSync(path);
  return { when, file: file.replace(/-[\w-]{8}\./, '.'), gzipKb: gzipSync(bytes).length / 1_024 };
}

/** Each with an empty cache, in a browser that is warm. */
async function measureLoads(count: number): Promise<readonly number[]> {
  const [server, browser] = await Promise.all([
    serveProject(await makeMotorsProject('bench-web')),
    openBrowser(),
  ]);
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const from = performance.now();
    await page.goto(`${server.url}/`);
    await page.locator('#question').fill('x');
    times.push(performance.now() - from);
    await context.close();
  }
  await Promise.all([browser.close(), server.stop()]);
  return times;
}
