import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/index.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
const run = (...argv: readonly string[]) => runCandor(argv, folder);
const LEARNED = (): string => join(folder, 'semantics', 'learned.yml');

async function asked(...argv: readonly string[]): Promise<Answer> {
  const { stdout, stderr } = await run('ask', '--output', 'json', '--quiet', ...argv);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-back-'));
  const database = new DatabaseSync(join(folder, 'trips.db'));
  database.exec(`
    CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, start_city TEXT, end_city TEXT, started_on TEXT);
    INSERT INTO trips VALUES (1, 'Paris', 'Lyon', '2024-01-02'), (2, 'Lyon', 'Paris', '2024-02-02'),
      (3, 'Paris', 'Nice', '2024-03-02'), (4, 'Nice', 'Lyon', '2024-03-05');
  `);
  database.close();
  const { code, stderr } = await run('onboard', 'sqlite:trips.db');
  expect(code, stderr).toBe(0);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(LEARNED(), { force: true }));

const PARIS = 'How many trips in Paris?';
const RECENT = 'How many trips were there recently?';

describe('an answer to a question back', () => {
  it.each([
    ['trip start city: Paris', [[2]]],
    ['start city', [[2]]],
    ['end city', [[1]]],
  ])('“%s” is merged into a question that stands alone', async (reply, rows) => {
    const { recordId, kind } = await asked(PARIS);
    expect(kind).toBe('clarify');
    const answer = await asked('--answer', reply, '--after-clarify', recordId);
    expect(answer).toMatchObject({ kind: 'answered', rows });
    expect(await asked(answer.question)).toMatchObject({ kind: 'answered', rows });
  });

  it('that leaves it open takes the first option and says so', async () => {
    const { recordId } = await asked(PARIS);
    const answer = await asked('--answer', 'just pick', '--after-clarify', recordId);
    expect(answer.kind === 'answered' && answer.assumptions[0]?.text).toContain('left open');
  });

  it('in words of its own takes the place of what was unclear', async () => {
    const { recordId } = await asked(RECENT);
    const answer = await asked('--answer', 'in February 2024', '--after-clarify', recordId);
    expect(answer).toMatchObject({ kind: 'answered', rows: [[1]] });
  });

  it('is asked for three times at most', async () => {
    let { recordId } = await asked(RECENT);
    const kinds: string[] = [];
    for (let round = 0; round < 3; round++) {
      const answer = await asked('--answer', 'lately', '--after-clarify', recordId);
      kinds.push(answer.kind);
      recordId = answer.recordId;
    }
    expect(kinds).toEqual(['clarify', 'clarify', 'abstain']);
  });

  it.each([
    [['--answer', '9'], 'are 2 options'],
    [['--answer', 'all'], 'all of its options'],
  ])('%j fits no option', async (given, says) => {
    const { recordId } = await asked(PARIS);
    const { code, stderr } = await run('ask', ...given, '--after-clarify', recordId);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(says)]);
  });

  it('needs a question back, and its record', async () => {
    const { recordId } = await asked('How many trips are there?');
    for (const argv of [
      ['--answer', '1'],
      ['--answer', '1', '--after-clarify', recordId, 'and a question'],
    ])
      expect((await run('ask', ...argv)).stderr).toContain('question.not-asked');
    for (const argv of [
      ['ask', '--answer', '1', '--after-clarify', recordId],
      ['knowledge', 'learn', recordId, '--answer', '1', '--as', 'default'],
    ]) {
      const { code, stderr } = await run(...argv);
      expect([code, stderr]).toEqual([2, expect.stringContaining('record.no-question-back')]);
      expect(stderr).toContain('candor replay --list');
    }
  });
});

describe('what was answered is learned', () => {
  it('as a default: asked, learned, and not asked again; the ledger takes it back', async () => {
    const { recordId } = await asked(PARIS);
    const learned = await run('knowledge', 'learn', recordId, '--answer', 'start city', '--as', 'default');
    expect(learned).toMatchObject({ code: 0, stdout: expect.stringContaining('semantics/learned.yml') });
    const again = await asked(PARIS);
    expect(again).toMatchObject({ kind: 'answered', rows: [[2]] });
    expect(again.kind === 'answered' && again.assumptions[0]).toMatchObject({ id: 'answer.Paris' });
    const other = await asked(PARIS, '--assume', 'answer.Paris=trip end city: Paris');
    expect(other).toMatchObject({ kind: 'answered', rows: [[1]] });
  });

  it('as a synonym: the words stand for others from then on', async () => {
    const { recordId } = await asked(RECENT);
    const said = ['--answer', 'in February 2024', '--as', 'synonym'];
    expect((await run('knowledge', 'learn', recordId, ...said)).code).toBe(0);
    expect(await asked(RECENT)).toMatchObject({ kind: 'answered', rows: [[1]] });
  });

  it('as a note, for people', async () => {
    const { recordId } = await asked(PARIS);
    const { code, stdout } = await run(
      'knowledge',
      'learn',
      recordId,
      '--answer',
      '1',
      '--as',
      'note',
      '--by',
      'ada',
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('knowledge/answers.md')]);
    expect(readFileSync(join(folder, 'knowledge', 'answers.md'), 'utf8')).toContain(
      '“Paris” in “How many trips',
    );
  });

  it('again: an earlier answer is replaced, comments of people stay', async () => {
    const { recordId } = await asked(PARIS);
    await run('knowledge', 'learn', recordId, '--answer', 'start city', '--as', 'default');
    appendFileSync(LEARNED(), '# checked by Ada\n');
    await run('knowledge', 'learn', recordId, '--answer', 'end city', '--as', 'default');
    const text = readFileSync(LEARNED(), 'utf8');
    expect(text).toContain('# checked by Ada');
    expect(text.match(/phrase:/g)).toHaveLength(1);
    expect(await asked(PARIS)).toMatchObject({ kind: 'answered', rows: [[1]] });
  });

  it('but not as a synonym of itself', async () => {
    const { recordId } = await asked(PARIS);
    const { stderr } = await run('knowledge', 'learn', recordId, '--answer', '1', '--as', 'synonym');
    expect(stderr).toContain('learn it as a default');
  });
});
