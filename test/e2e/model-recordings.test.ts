/**
 * A change may not make worse what a strong model's answers come to: its recorded replies are read, checked and judged anew. A prompt
 * that changed since has no reply; its case is named, and only a new recording says what the model makes of it.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { resolvePlaces } from '../../src/lab/corpus/index.ts';
import { readRecords } from '../../src/lab/evaluation/index.ts';
import { runCandor } from './cli/run-candor.ts';

const RECORDINGS = join(import.meta.dirname, '..', 'fixtures', 'recordings');
const out = mkdtempSync(join(tmpdir(), 'candor-recordings-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const suites = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(RECORDINGS, entry.name, 'run.jsonl')))
  .map(({ name }) => name);

describe('recorded replies', () => {
  it.for(suites)('%s', { timeout: 240_000 }, async (suite, { skip, annotate }) => {
    const argv = [
      'eval',
      suite,
      '--model',
      'openai:by-hand',
      '--replay',
      suite,
      '--out',
      out,
      '--output',
      'json',
    ];
    const { code, stderr } = await runCandor(argv, RECORDINGS, {
      env: { CANDOR_DATA: process.env.CANDOR_DATA },
    });
    if (stderr.includes('eval.data-missing')) return skip(`the data of ${suite} is not here`);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const [file = ''] = readdirSync(out).filter((name) => name.startsWith(`${suite}-2`));
    const came = await readRecords(join(out, file));
    const due = new Map(
      (await readRecords(join(RECORDINGS, suite, 'run.jsonl'))).map((run) => [run.id, run]),
    );
    const changed = came.filter(({ verdict }) => verdict === 'not-recorded').map(({ id }) => id);
    await annotate(
      changed.length === 0
        ? 'every prompt is as it was recorded'
        : `${changed.length} of ${came.length} prompts have changed since: ${changed.join(', ')}`,
    );
    expect(came.map(({ id }) => id).toSorted()).toEqual([...due.keys()].toSorted());
    const worse = came.filter(
      ({ id, correct }) => !correct && !changed.includes(id) && due.get(id)?.correct === true,
    );
    expect(worse.map(({ id, verdict }) => `${id} was right, is ${verdict}`)).toEqual([]);
  });
});

/** Of a set that has its own scorer. */
const FREIGHT = [
  { name: 'ferrum', argv: [] },
  { name: 'ferrum-bare', argv: ['--bare'] },
] as const;

describe('recorded replies over the freight company', () => {
  it.for(FREIGHT)('$name', { timeout: 240_000 }, async ({ name, argv }, { skip, annotate }) => {
    const { checkoutDirectory, dataDirectory } = resolvePlaces({ dataDirectory: process.env.CANDOR_DATA });
    if (!existsSync(join(dataDirectory, 'ferrum'))) return skip('the freight company is not here');
    const bench = join(checkoutDirectory, 'bench', 'ferrum.ts');
    const asked = ['--model', 'openai:by-hand', '--replay', name, '--output', 'json', ...argv];
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', bench, ...asked], {
      cwd: RECORDINGS,
    });
    const { figures } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    const due = JSON.parse(readFileSync(join(RECORDINGS, name, 'figures.json'), 'utf8'));
    await annotate(`${figures.notRecorded} of 60 prompts have changed since they were recorded`);
    expect(figures.right + figures.notRecorded).toBeGreaterThanOrEqual(due.right);
    expect(figures.wrongWithoutMark).toBe(0);
  });
});
