/** Labels of answers as a person gathers them, and what the risk says with them. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { makeTinyDatabase, tinyPairs } from '../../fixtures/engine/tiny-suite.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-risk-'));
  makeTinyDatabase(join(folder, 'farm.db'));
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:farm.db\ntargetRisk: 0.2\n');
  for (const name of ['tests', 'examples']) mkdirSync(join(folder, name));
  const pairs = tinyPairs();
  const tests = pairs.slice(0, 12).map(({ question, sql }, at) => ({
    ...{ id: `test-${at}`, question: `Please tell me: ${question}` },
    expect: { kind: 'answered', sql },
  }));
  writeFileSync(join(folder, 'tests', 'a.yml'), JSON.stringify(tests));
  for (const [at, { question, sql }] of pairs.entries())
    writeFileSync(join(folder, 'examples', `pair-${at}.sql`), `-- question: ${question}\n${sql}\n`);
  expect((await run(['onboard', '--quiet'])).code).toBe(0);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}) => runCandor(argv, folder, given);
const train = async (...argv: readonly string[]) => {
  const { stdout, stderr, code } = await run(['train', 'risk', '--quiet', '--output', 'json', ...argv]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const learned = () => join(folder, '.candor', 'risk.json');

describe('candor train risk', () => {
  it('tells what is lacking, and neither asks nor writes, in a dry run', async () => {
    const state = await train('--dry-run');
    expect(state).toMatchObject({ asked: 0, isWritten: false });
    expect(state.waiting).toBeGreaterThan(30);
    expect(state.writers[0]).toMatchObject({
      writer: 'built-in engine',
      labels: { test: 0, pair: 0, thumb: 0 },
    });
    for (const { isOwn, labelsNeeded } of state.writers[0].targets) {
      expect(isOwn).toBe(false);
      expect(labelsNeeded ?? 31).toBeGreaterThan(30);
    }
    expect(existsSync(learned())).toBe(false);
  });

  it('asks pairs and tests that nobody has judged, once, though a target would withhold some', async () => {
    const first = await train();
    expect(first).toMatchObject({ isWritten: true });
    expect(first.asked).toBeGreaterThanOrEqual(30);
    const [{ labels, wrong, told }] = first.writers;
    expect(labels.test + labels.pair).toBe(first.asked);
    expect(wrong).toBeLessThan(first.asked);
    expect(told).toHaveLength(2);
    expect((await train()).asked).toBe(0);
    const { stdout } = await run(['doctor']);
    expect(stdout).toMatch(/moved by labels for the built-in engine; \d+ labelled answers/);
  });

  it('is heard in answers: what a risk rests on, and what is promised', async () => {
    const { stdout } = await run(['ask', 'how many things have a price above 20?', '--target-risk', '0.9']);
    expect(stdout).toMatch(/measured on [\d,]+, \d+ of this project\)/);
    expect(stdout).toMatch(/a target of 0\.9 is promised by answers of this project/);
  });

  it('counts what a run of the tests has judged', async () => {
    writeFileSync(join(folder, '.candor', 'labels.jsonl'), '');
    rmSync(join(folder, 'examples'), { recursive: true });
    await run(['test', '--quiet']);
    const lines = readFileSync(join(folder, '.candor', 'labels.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ from: 'test', writer: 'built-in engine' });
  });

  it('moves the risk of a review by the labels of the model that is named, or of the one that is wrong most often', async () => {
    const file = join(folder, '.candor', 'labels.jsonl');
    const before = readFileSync(file, 'utf8');
    const review = async (...argv: readonly string[]): Promise<number> => {
      const { stdout } = await run(['review', tinyPairs()[0]?.sql ?? '', '--output', 'json', ...argv]);
      return JSON.parse(stdout).assessment.queryRisk;
    };
    const shipped = await review();
    const { model } = JSON.parse(before.split('\n')[0] ?? '');
    const label = (writer: string, at: number) =>
      JSON.stringify({
        ...{
          question: `q${at}`,
          risk: 0.3,
          isWrong: writer === 'test:bad' || at === 0,
          from: 'thumb',
          writer,
          model,
        },
        at: '2026-01-01T00:00:00Z',
      });
    const labels = ['test:bad', 'test:good'].flatMap((writer) =>
      Array.from({ length: 40 }, (_, at) => label(writer, at)),
    );
    writeFileSync(file, `${before.trimEnd()}\n${labels.join('\n')}\n`);
    await train();
    const [bad, good] = [await review('--writer', 'test:bad'), await review('--writer', 'test:good')];
    expect(bad).toBeGreaterThan(shipped);
    expect(good).toBeLessThan(shipped);
    expect(await review()).toBe(bad);
    expect(await review('--writer', 'nobody')).toBe(shipped);
    writeFileSync(file, before);
  });

  it('sets aside what was learned with other models, and says so', async () => {
    writeFileSync(learned(), readFileSync(learned(), 'utf8').replace(/"model": "[^"]+"/, '"model": "other"'));
    expect(await train('--dry-run')).toMatchObject({ isSetAside: true });
    const { stdout } = await run(['doctor']);
    expect(stdout).toContain('risk.json was learned with other models and is set aside');
    const { stdout: told } = await run(['train', 'risk', '--dry-run', '--quiet']);
    expect(told).toContain('set aside');
    expect(told).toMatch(/the risk stays as it ships: \d+ more labels needed/);
  });
});
