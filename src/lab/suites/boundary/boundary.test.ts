/** A benchmark made, asked and judged on a real database; and the figures on records of known outcome. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCandor } from '../../../../test/e2e/cli/run-candor.ts';
import { makeCarShop } from '../../../../test/fixtures/synthesis/make-car-shop.ts';
import { CATEGORIES, type Category } from '../../synthesis/items/bench-item.ts';
import type { BoundaryRecord } from './compute-boundary-metrics.ts';
import { computeBoundaryMetrics } from './compute-boundary-metrics.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-bench-'));
  makeCarShop(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...argv: string[]) => runCandor([...argv], folder);
const SMALL = ['--items', '16', '--quiet', '--output', 'json'];

describe('candor bench and candor eval boundary', () => {
  it('build, stop at nothing that is there, go on, export and measure', async () => {
    const built = await run('bench', 'build', '--out', 'b.jsonl', ...SMALL);
    expect(built.code, built.stderr).toBe(0);
    expect(JSON.parse(built.stdout)).toMatchObject({ items: 16, isComplete: true });
    const again = await run('bench', 'build', '--out', 'b.jsonl', ...SMALL);
    expect(again.stderr).toContain('is there already');
    const whole = readFileSync(join(folder, 'b.jsonl'), 'utf8');
    const lines = whole.trim().split('\n');
    // Torn in the middle of its ninth line, as by a crash.
    writeFileSync(join(folder, 'b.jsonl'), `${lines.slice(0, 8).join('\n')}\n${lines[8]?.slice(0, 40)}`);
    const resumed = await run('bench', 'build', '--out', 'b.jsonl', '--resume', ...SMALL);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ items: 16 });
    const other = await run('bench', 'build', '--out', 'b.jsonl', '--resume', '--seed', '2', ...SMALL);
    expect(other.stderr).toContain('was made with other options');

    const measured = await run('eval', 'boundary', 'b.jsonl', '--quiet', '--output', 'json');
    expect(measured.code, measured.stderr).toBe(0);
    const { metrics, items } = JSON.parse(measured.stdout);
    expect(items).toBe(16);
    for (const name of [
      'meanOfEight',
      'forcedAnswerRate',
      'overAbstentionRate',
      'rightReasonRate',
      'dimReject',
    ])
      expect(metrics[name]).toEqual(expect.any(Number));
    expect(metrics.meanOfEight).toBeGreaterThan(50);
    const table = await run('eval', 'boundary', 'b.jsonl', '--quiet', '--limit', '5');
    expect(table.stdout).toMatch(
      /5 items in[\s\S]+mean of the [\s\S]+due +answered[\s\S]+risk told: [\d.]+ % in the mean/,
    );

    const exported = await run('bench', 'export', 'b.jsonl', '--out', 'sft.jsonl', '--quiet');
    expect(exported.code, exported.stderr).toBe(0);
    const first = JSON.parse(readFileSync(join(folder, 'sft.jsonl'), 'utf8').split('\n')[0] ?? '');
    expect(first.prompt).toMatch(
      /# Schema[\s\S]+# Metrics[\s\S]+# Rules[\s\S]+# Stored values[\s\S]+# Question/,
    );
    expect(first.target).toBe(`<think>${first.think}</think><answer>${first.gold}</answer>`);
    const questions = await run('bench', 'export', 'b.jsonl', '--format', 'questions', '--out', 'q.yml');
    expect(questions.stdout).toMatch(/\d+ of 16 items/);
    expect(readFileSync(join(folder, 'q.yml'), 'utf8')).toContain('expect:');
  });

  it('says what is wrong with a file, and that there is nothing to ask', async () => {
    writeFileSync(join(folder, 'broken.jsonl'), '{"id": 1}\n');
    const broken = await run('eval', 'boundary', 'broken.jsonl', '--quiet');
    expect(broken.code).not.toBe(0);
    expect(broken.stderr).toContain('broken.jsonl:1');
    const bare = mkdtempSync(join(tmpdir(), 'candor-bare-'));
    makeCarShop(bare, 'version: "0.2.0"\nsemantic_model:\n  - {name: bare, datasets: []}\n');
    const empty = await runCandor(['bench', 'build', '--quiet', '--out', 'b.jsonl'], bare);
    expect(empty.stderr).toContain('defines no metric');
    rmSync(bare, { recursive: true });
  });
});

describe('computeBoundaryMetrics', () => {
  const record = (category: Category, more: Partial<BoundaryRecord>): BoundaryRecord => ({
    ...{ id: '', category, kind: '', question: '', due: 'answered', said: '', gold: '', isRight: false },
    ...more,
  });

  it('takes the plain mean of eight, whatever their sizes', () => {
    const records = CATEGORIES.flatMap((category, at) =>
      Array.from({ length: at + 1 }, () => record(category, { isRight: at % 2 === 0 })),
    );
    expect(computeBoundaryMetrics(records).meanOfEight).toBe(50);
  });

  it('leaves out of the mean what has no items', () => {
    const records = [
      record('standard', { isRight: true }),
      record('degenerate', { isRight: true }),
      record('degenerate', {}),
    ];
    expect(computeBoundaryMetrics(records).meanOfEight).toBe(75);
    expect(computeBoundaryMetrics([]).meanOfEight).toBe(0);
  });

  it('counts forced answers of what is due something else, refusals of what is due an answer, and reasons', () => {
    const metrics = computeBoundaryMetrics([
      record('standard', { outcome: 'answered', isRight: true }),
      record('standard', { outcome: 'reject' }),
      record('follow_up', { due: 'follow_up', outcome: 'answered' }),
      record('dim_reject', { due: 'reject', outcome: 'reject', isRight: true, isRightReason: true }),
      record('dim_reject', { due: 'reject', outcome: 'reject', isRightReason: false }),
      record('ambiguity', { due: 'clarify' }),
    ]);
    expect(metrics.forcedAnswer).toMatchObject({ hits: 1, of: 4, value: 25 });
    expect(metrics.overAbstention).toMatchObject({ hits: 1, of: 2 });
    expect(metrics.rightReason).toMatchObject({ hits: 1, of: 2 });
    expect(metrics.confusion).toEqual({
      answered: { answered: 1, reject: 1 },
      follow_up: { answered: 1 },
      reject: { reject: 2 },
      clarify: { error: 1 },
    });
  });
});
