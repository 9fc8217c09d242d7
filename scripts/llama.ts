/**
 * node-llama-cpp on this machine: `npx tsx scripts/llama.ts --prepare` installs it into `.cache/llama` (82 MB: the
 * processor's build alone, without its install script) and loads it once. It is no part of our lock, which would bring
 * the builds for GPUs along (700 MB). Done once; what is there whole is left alone.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installLine } from '../src/model/gguf/open-gguf-model.ts';

const run = promisify(execFile);

const STEP_TIMEOUT_MS = 240_000;
/** The `packageDirectory` of the settings. */
export const LLAMA_DIRECTORY = fileURLToPath(new URL('../.cache/llama/', import.meta.url));
const CHECK =
  'const m = await import("node-llama-cpp");' +
  'const l = await m.getLlama({build: "never", skipDownload: true, gpu: false, progressLogs: false});' +
  'await l.dispose();';

/** Why there is none, in words for a test's name; `null` when there is. */
export async function whyNoLlama(): Promise<string | null> {
  if (await exists(join(LLAMA_DIRECTORY, 'complete'))) return null;
  return 'node-llama-cpp is not in .cache/llama; `npx tsx scripts/llama.ts --prepare` installs it';
}

/** Installs beside and renames, so that an interrupted run leaves nothing half done. Throws where it does not load. */
export async function prepareLlama(): Promise<void> {
  if ((await whyNoLlama()) === null) return;
  await mkdir(LLAMA_DIRECTORY, { recursive: true });
  const folder = await mkdtemp(join(LLAMA_DIRECTORY, 'unfinished-'));
  try {
    await writeFile(join(folder, 'package.json'), '{"private":true}\n');
    const [npm = '', ...words] = installLine(process.platform, process.arch).split(' ');
    await run(npm, [...words, '--prefix', folder, '--no-audit', '--no-fund'], { timeout: STEP_TIMEOUT_MS });
    // A file: the package tries its binary in a process that inherits the flags of this one, `-e` among them.
    const check = join(folder, 'check.mjs');
    await writeFile(check, CHECK);
    await run(process.execPath, [check], { timeout: STEP_TIMEOUT_MS });
    for (const name of ['node_modules', 'package.json']) {
      await rm(join(LLAMA_DIRECTORY, name), { recursive: true, force: true });
      await rename(join(folder, name), join(LLAMA_DIRECTORY, name));
    }
    await writeFile(join(LLAMA_DIRECTORY, 'complete'), '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--prepare'))
    await prepareLlama().catch((error: unknown) =>
      console.error(error instanceof Error ? error.message : error),
    );
  const missing = await whyNoLlama();
  if (missing === null) console.log(LLAMA_DIRECTORY);
  else console.error(missing);
  process.exitCode = missing === null ? 0 : 1;
}
