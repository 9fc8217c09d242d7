/**
 * What a question costs in prompt tokens: the first prompt of `candor ask` with a model beside everything pasted into one prompt, as
 * `--arm plain` does. Every question is asked in earnest; a model that only keeps what it is sent stands in for one. Counted as
 * Candor counts before a call. `npx tsx bench/prompt-tokens.ts [--smoke] [--output json]`
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ask } from '../src/answering/index.ts';
import { estimateTokens } from '../src/catalog/prompt-schema/index.ts';
import { type Config, projectConfig, readConfig, readTerminalEnvironment } from '../src/config/index.ts';
import { makeMotors } from '../src/demo/index.ts';
import { CandorError } from '../src/errors.ts';
import { readSuite } from '../src/lab/corpus/index.ts';
import { plainPrompt } from '../src/lab/evaluation/ask-plainly.ts';
import type { ChatMessage, LanguageModel } from '../src/model/index.ts';
import { openSession } from '../src/session/project/open-session.ts';
import { Session } from '../src/session/project/session.ts';
import { readBenchOptions } from './bench-options.ts';
import { median } from './figures.ts';
import { printReport } from './print-report.ts';

const ABOUT = 'prompt tokens of a question, Candor beside everything pasted; the bar is a ratio of 1';
const QUESTIONS = 20;
/** Some are settled before a model is asked: two that are asked have to be left. */
const SMOKE_QUESTIONS = 6;
const WINDOW = 200_000;
const BIRD = ['superhero', 'student_club', 'toxicology'] as const;

interface Asked {
  readonly question: string;
  readonly hint?: string | undefined;
  readonly now: Date;
}

interface DataSet {
  readonly name: string;
  readonly config: Config;
  readonly questions: readonly Asked[];
}

interface Counted {
  readonly candor: number;
  readonly plain: number;
  /** What this prompt and that of the question before it begin with alike. */
  readonly shared: number;
}

const options = readBenchOptions();
const most = options.isSmoke ? SMOKE_QUESTIONS : QUESTIONS;
const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
const folder = await mkdtemp(join(tmpdir(), 'candor-prompt-tokens-'));
try {
  const rows = [];
  for (const set of [...(await birdSets()), ...(await ferrumSets()), await motorsSet()])
    rows.push(rowOf(set.name, await countSet(set)));
  const ratios = rows.map(({ ratio }) => ratio);
  printReport(
    { bench: 'prompt-tokens', about: ABOUT, rows, figures: { worst: Math.max(...ratios) } },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`prompt-tokens: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function birdSets(): Promise<readonly DataSet[]> {
  const { cases } = await readSuite('bird', { dataDirectory: data });
  return BIRD.map((name) => {
    const own = cases.filter((each) => each.database === `bird-${name}`).slice(0, most);
    const questions = own.map(({ question, hint }) => ({ question, hint, now: noon('2024-06-01') }));
    const url = `sqlite:${join(data, 'bird', 'databases', name, `${name}.sqlite`)}`;
    return { name: `BIRD ${name}`, config: projectConfig(join(folder, name), url), questions };
  });
}

async function ferrumSets(): Promise<readonly DataSet[]> {
  const [home, path] = [join(data, 'ferrum'), join(folder, 'ferrum.sqlite')];
  await promisify(execFile)('python3', [join(home, 'make_database.py'), path]);
  await cp(join(home, 'project'), join(folder, 'project'), { recursive: true });
  const row = z.object({ question: z.string(), today: z.string() });
  const lines = (await readFile(join(home, 'questions.jsonl'), 'utf8')).trim().split('\n').slice(0, most);
  const questions = lines.map((line) => {
    const { question, today } = row.parse(JSON.parse(line));
    return { question, now: noon(today) };
  });
  const url = `sqlite:${path}`;
  const project = await readConfig({ cwd: join(folder, 'project'), database: url });
  return [
    { name: 'Ferrum, database alone', config: projectConfig(join(folder, 'ferrum'), url), questions },
    { name: 'Ferrum with its project', config: project, questions },
  ];
}

async function motorsSet(): Promise<DataSet> {
  const home = join(folder, 'motors');
  await mkdir(home);
  await cp(join(import.meta.dirname, '..', 'examples', 'motors'), home, { recursive: true });
  await makeMotors(join(home, 'motors.db'), { engine: 'sqlite' });
  const config = await readConfig({ cwd: home });
  const { cases } = await readSuite('motors', { dataDirectory: data });
  const questions = cases.filter(({ previous }) => previous === undefined).slice(0, most);
  return {
    name: 'Motors with its project',
    config,
    questions: questions.map(({ question }) => ({ question, now: noon('2024-12-31') })),
  };
}

function noon(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}

async function countSet({ config, questions }: DataSet): Promise<readonly Counted[]> {
  const whole = await openSession(config);
  const counted: Counted[] = [];
  let before = '';
  for (const { question, hint, now } of questions) {
    const sent: (readonly ChatMessage[])[] = [];
    const session = new Session({ ...whole, models: async () => ({ answers: keeping(sent) }) });
    await ask(question, session, { now, record: false, related: false, ...(hint !== undefined && { hint }) });
    const [prompt] = sent;
    // Settled before a model is asked.
    if (prompt === undefined) continue;
    const text = textOf(prompt);
    counted.push({
      candor: estimateTokens(text),
      plain: estimateTokens(textOf(await plainPrompt(question, { ...whole, clock: () => now }, { hint }))),
      shared: estimateTokens(text.slice(0, commonStart(text, before))),
    });
    before = text;
  }
  await whole.close();
  return counted;
}

/** Replies that the question is out of scope: the cheapest end. */
function keeping(sent: (readonly ChatMessage[])[]): LanguageModel {
  return {
    ...{ id: 'none', host: null, contextWindow: WINDOW },
    chat: async ({ messages }) => {
      sent.push(messages);
      const text = '{"outcome": "reject", "reason": "scope", "message": "only counted"}';
      return { text, toolCalls: [], usage: { promptTokens: 0, completionTokens: 0 } };
    },
  };
}

function textOf(messages: readonly ChatMessage[]): string {
  return messages.map(({ content }) => content).join('\n');
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function rowOf(set: string, counted: readonly Counted[]) {
  const mean = (pick: (one: Counted) => number): number =>
    counted.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, counted.length);
  const [candor, plain] = [mean((one) => one.candor), mean((one) => one.plain)];
  return {
    set,
    questions: counted.length,
    candor: Math.round(candor),
    plain: Math.round(plain),
    ratio: candor / plain,
    'of it the same as before': Math.round(median(counted.slice(1).map(({ shared }) => shared))),
  };
}
