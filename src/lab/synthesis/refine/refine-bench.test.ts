/** Items bettered by a scripted model, on a real SQLite database. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCarShop } from '../../../../test/fixtures/synthesis/make-car-shop.ts';
import { scriptedModel, textOf } from '../../../../test/models/scripted-model.ts';
import { readConfig } from '../../../config/index.ts';
import { connect, type Database } from '../../../database/index.ts';
import type { ChatRequest } from '../../../model/index.ts';
import { openSession } from '../../../session/project/open-session.ts';
import type { Session } from '../../../session/project/session.ts';
import { buildBench, readBench } from '../build/build-bench.ts';
import { BENCH_ITEM, type BenchItem } from '../items/bench-item.ts';
import { type RefineBenchOptions, refineBench } from './refine-bench.ts';

let folder: string;
let session: Session;
let engine: Database;
let items: readonly BenchItem[];
const now = '2024-12-31';
const never = new AbortController().signal;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-refine-'));
  makeCarShop(folder);
  const config = await readConfig({ cwd: folder });
  session = await openSession(config);
  engine = await connect(config.databaseUrl, { baseDirectory: folder });
  const file = join(folder, 'bench.jsonl');
  const made = { file, items: 32, now, split: 'train' as const, seed: 5, resume: false, signal: never };
  await buildBench({ session, engine, ...made });
  // The scripted model knows an item by its question.
  const questions = new Set<string>();
  items = (await readBench(file)).filter(({ question }) => {
    const key = question.toLowerCase();
    return !questions.has(key) && questions.add(key);
  });
  writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
});
afterAll(async () => {
  await engine.close();
  await session.close();
  rmSync(folder, { recursive: true });
});

/** The item that a prompt is about: of those whose question stands in it, the one with the longest. */
function itemOf(request: ChatRequest): BenchItem {
  const text = textOf(request);
  const [found] = items
    .filter(({ question }) => text.includes(question))
    .sort((a, b) => b.question.length - a.question.length);
  if (found === undefined) throw new Error(`no item: ${text}`);
  return found;
}

type Reply = (item: BenchItem, request: ChatRequest) => string;

/** Rewords by a prefix that changes nothing, writes the gold, refutes nothing; `over` replaces a role. */
function modelOf(over: Readonly<Record<string, Reply>> = {}) {
  const roles: Readonly<Record<string, Reply>> = {
    reword: ({ question }) => JSON.stringify({ question: `Please tell me: ${question}` }),
    write: ({ gold, goldKind }) =>
      JSON.stringify(goldKind === 'sql' ? { query: gold } : { query: null, missing: 'it' }),
    accept: () => '{"answers": false}',
    ...over,
  };
  return scriptedModel((request) => roles[request.role ?? '']?.(itemOf(request), request));
}

let files = 0;
async function refine(over: Readonly<Record<string, Reply>> = {}, options: Partial<RefineBenchOptions> = {}) {
  const to = options.to ?? join(folder, `refined-${++files}.jsonl`);
  const model = modelOf(over);
  const report = await refineBench({
    ...{ session, engine, now, to, samples: 2, concurrency: 3, resume: false, signal: never },
    models: { answers: model },
    from: join(folder, 'bench.jsonl'),
    ...options,
  });
  return { report, model, to, written: await readBench(to) };
}

const isOf = (kind: BenchItem['due']['kind']) => (item: BenchItem) => item.due.kind === kind;

describe('refining', () => {
  it('takes new words that say the same, in the order of the file', async () => {
    const { report, written } = await refine();
    expect(report).toMatchObject({ reworded: items.length, dropped: [], isComplete: true });
    expect(written.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    for (const [place, item] of written.entries()) {
      const { question, templateQuestion, ...rest } = BENCH_ITEM.parse(item);
      const { question: before, ...same } = items[place]!;
      expect([templateQuestion, question]).toEqual([before, `Please tell me: ${before}`]);
      expect(rest).toEqual(same);
    }
  });

  it('mends words that lose what stays, once', async () => {
    const isSecond = (request: ChatRequest) => request.messages.length > 2;
    const { report } = await refine({
      reword: ({ question }, request) =>
        JSON.stringify({ question: isSecond(request) ? `So, ${question}` : 'what is it like?' }),
    });
    expect(report.reworded).toBeGreaterThan(items.length / 2);
    const lost = await refine({ reword: () => '{"question": "what is it like in 1987?"}' });
    expect(lost.report).toMatchObject({ reworded: 0, kept: { 'no-usable-words': items.length } });
    expect(lost.written).toEqual(items);
  });

  it('keeps the words of items whose samples give other rows', async () => {
    const answered = items.filter(isOf('answered')).length;
    const { report, written } = await refine({ write: () => '{"query": "SELECT 1"}' }, { samples: 1 });
    expect(report.kept['samples-disagree']).toBe(answered);
    for (const item of written) if (isOf('answered')(item)) expect(item.templateQuestion).toBeUndefined();
  });

  it('leaves out a refusal that a query refutes by two verdicts, and only then', async () => {
    const refused = items.filter(isOf('reject'));
    const write: Reply = (item) => JSON.stringify({ query: isOf('answered')(item) ? item.gold : 'SELECT 1' });
    const both = await refine({ write, accept: () => '{"because": "it does", "answers": true}' });
    expect(both.report.dropped).toEqual(
      refused.map(({ id }) => ({ id, sql: 'SELECT 1', because: 'it does' })),
    );
    expect(both.written.filter(isOf('reject'))).toEqual([]);
    const one = await refine({ write, accept: (_, { seed }) => JSON.stringify({ answers: seed === 0 }) });
    expect(one.report.dropped).toEqual([]);
    const writes = await refine({
      write: (item) => JSON.stringify({ query: isOf('answered')(item) ? item.gold : 'DROP TABLE dealers' }),
      accept: () => '{"answers": true}',
    });
    expect(writes.report.dropped).toEqual([]);
  });

  it('goes on where it was stopped, to the same file', async () => {
    const { to: whole } = await refine();
    const stop = new AbortController();
    const to = join(folder, 'stopped.jsonl');
    const onProgress = ({ done }: { done: number }) => done === 7 && stop.abort();
    const first = await refine({}, { to, signal: stop.signal, onProgress });
    expect(first.report.isComplete).toBe(false);
    expect(first.written.length).toBeLessThan(items.length);
    await expect(refine({}, { to })).rejects.toMatchObject({ code: 'bench.file-exists' });
    // A crash may leave half a line.
    writeFileSync(to, '{"id": "tor', { flag: 'a' });
    const second = await refine({}, { to, resume: true });
    expect(second.report.isComplete).toBe(true);
    expect(readFileSync(to, 'utf8')).toBe(readFileSync(whole, 'utf8'));
  });

  it('refuses the file of another benchmark, and a model that may see no value', async () => {
    const to = join(folder, 'other.jsonl');
    writeFileSync(to, `${JSON.stringify({ ...items[0], id: 'train-9-1-standard' })}\n`);
    await expect(refine({}, { to, resume: true })).rejects.toMatchObject({ code: 'eval.run-invalid' });
    const models = { answers: { ...modelOf(), isPrivate: true as const } };
    await expect(refine({}, { models })).rejects.toMatchObject({ code: 'bench.needs-values' });
  });
});
