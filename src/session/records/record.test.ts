import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import type { Answered, Reject } from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import {
  type DecisionRecord,
  hashResult,
  listRecords,
  readRecord,
  recordId,
  toRecord,
  writeRecord,
} from './record.ts';

const AT = new Date('2024-05-15T10:20:30.456Z');
const CONTEXT = {
  now: new Date('2024-01-01T12:00:00Z'),
  at: AT,
  database: 'sqlite:music.db',
  catalogFingerprint: 'c',
  semanticsFingerprint: 's',
  links: ['“singers”: name of table singers'],
  stages: [{ stage: 'link', ms: 1 }],
};
const ANSWERED: Answered = {
  kind: 'answered',
  question: 'How many singers?',
  recordId: 'id-1',
  related: [],
  thinkMs: 3,
  sql: 'SELECT COUNT(*) FROM singers',
  columns: ['n'],
  rows: [[6]],
  truncatedBy: null,
  explanation: 'count of singers',
  probability: 0.9,
  evidence: [],
  assumptions: [],
  checks: [{ name: 'execute', passed: true }],
  alternatives: [],
};
const REJECT: Reject = {
  kind: 'reject',
  question: 'delete all',
  recordId: 'id-2',
  related: [],
  thinkMs: 1,
  reason: 'unsafe',
  cause: 'read-only',
  missing: 'delete',
  message: 'No.',
  nearest: [],
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candor-record-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function record(id: string, question = 'How many singers?'): DecisionRecord {
  return { ...toRecord(ANSWERED, CONTEXT), id, question };
}

async function write(...ids: readonly string[]): Promise<void> {
  for (const id of ids) await writeRecord(directory, record(id));
}

describe('toRecord', () => {
  it('keeps what was said about the rows by its code', () => {
    const notices = [{ code: 'division-by-zero' as const, text: 'A division by zero gave NULL.' }];
    expect(toRecord({ ...ANSWERED, notices }, CONTEXT).notices).toEqual(['division-by-zero']);
    expect(toRecord(ANSWERED, CONTEXT)).not.toHaveProperty('notices');
  });

  it('keeps what the answer stood on and a hash of the rows, never the rows', () => {
    const made = toRecord({ ...ANSWERED, rows: [['Ana Silva']] }, CONTEXT);
    expect(made).toMatchObject({
      id: 'id-1',
      question: 'How many singers?',
      now: '2024-01-01T12:00:00.000Z',
      at: '2024-05-15T10:20:30.456Z',
      sql: ANSWERED.sql,
      rowCount: 1,
      resultHash: hashResult(['n'], [['Ana Silva']]),
      links: CONTEXT.links,
      stages: CONTEXT.stages,
    });
    expect(JSON.stringify(made)).not.toContain('Ana Silva');
  });

  it('has no result when nothing was run', () => {
    const checks = [{ name: 'execute', passed: false, detail: 'not run' }] as const;
    const made = toRecord({ ...ANSWERED, columns: [], rows: [], checks }, CONTEXT);
    expect(made.sql).toBe(ANSWERED.sql);
    expect(made).not.toHaveProperty('resultHash');
    expect(made).not.toHaveProperty('rowCount');
  });

  it('keeps the reason of a refusal, and no SQL', () => {
    const made = toRecord(REJECT, CONTEXT);
    expect(made).toMatchObject({ kind: 'reject', reason: 'unsafe', checks: [] });
    expect(made).not.toHaveProperty('sql');
  });
});

describe('recordId', () => {
  it('is the time and a hash of what was asked', () => {
    expect(recordId('q', AT, 'n')).toMatch(/^20240515-102030456-[0-9a-f]{8}$/);
    expect(recordId('q', AT, 'n')).toBe(recordId('q', AT, 'n'));
    const others = [
      recordId('q2', AT, 'n'),
      recordId('q', AT, 'n2'),
      recordId('q', new Date(AT.getTime() + 1), 'n'),
    ];
    expect(new Set([recordId('q', AT, 'n'), ...others]).size).toBe(4);
  });
});

describe('hashResult', () => {
  it('tells apart what differs in a name, a cell, a type or the order', () => {
    const results: readonly (readonly [string[], unknown[][]])[] = [
      [['a'], []],
      [['b'], []],
      [['a'], [[1]]],
      [['a'], [['1']]],
      [['a'], [[1n]]],
      [['a'], [[null]]],
      [['a'], [[true]]],
      [['a'], [[new Uint8Array([1])]]],
      [['a'], [[1], [2]]],
      [['a'], [[2], [1]]],
      [['a', 'b'], [[1, 2]]],
    ];
    const hashes = results.map(([columns, rows]) => hashResult(columns, rows));
    expect(new Set(hashes).size).toBe(results.length);
  });

  it('is the same for the same result', () => {
    const cell = fc.oneof(fc.string(), fc.double(), fc.bigInt(), fc.constant(null), fc.uint8Array());
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.array(cell)), (columns, rows) => {
        expect(
          hashResult(
            [...columns],
            rows.map((row) => [...row]),
          ),
        ).toBe(hashResult(columns, rows));
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('records on disk', () => {
  it('come back as they were written, with no half file beside them', async () => {
    await write('20240101-000000000-aaaaaaaa');
    expect(await readRecord(directory, '20240101-000000000-aaaaaaaa')).toEqual(
      record('20240101-000000000-aaaaaaaa'),
    );
    expect(await readdir(join(directory, 'records'))).toEqual(['20240101-000000000-aaaaaaaa.json']);
  });

  const ids: readonly (readonly [asked: string, found: string])[] = [
    ['20240101-000000000-aaaaaaaa', '20240101-000000000-aaaaaaaa'],
    ['20240101', '20240101-000000000-aaaaaaaa'],
    ['bbbbbbbb', '20240202-000000000-bbbbbbbb'],
    ['2024', 'record.not-found'],
    ['2025', 'record.not-found'],
    ['', 'record.not-found'],
    ['../outside', 'record.not-found'],
    ['/etc/passwd', 'record.not-found'],
    ['*', 'record.not-found'],
    ['20240101.json', 'record.not-found'],
  ];
  it.each(ids)('“%s” finds %s', async (asked, found) => {
    await write('20240101-000000000-aaaaaaaa', '20240202-000000000-bbbbbbbb', '20240203-000000000-cccccccc');
    await writeFile(join(directory, 'outside.json'), JSON.stringify(record('outside')));
    const got = await readRecord(directory, asked).then(
      ({ id }) => id,
      (error: unknown) => (error instanceof CandorError ? error.code : String(error)),
    );
    expect(got).toBe(found);
  });

  it('are listed newest first', async () => {
    await write('20240101-a', '20240303-c', '20240202-b');
    expect((await listRecords(directory)).map(({ id }) => id)).toEqual([
      '20240303-c',
      '20240202-b',
      '20240101-a',
    ]);
  });

  it('are none where no folder is', async () => {
    expect(await listRecords(join(directory, 'nowhere'))).toEqual([]);
    expect(await codeOf(readRecord(join(directory, 'nowhere'), 'x'))).toBe('record.not-found');
  });

  const broken: readonly (readonly [what: string, text: string])[] = [
    ['nothing', ''],
    ['half a file', JSON.stringify(record('x')).slice(0, 80)],
    ['another object', '{"id": "x"}'],
    ['a list', '[]'],
    ['an outcome nobody knows', JSON.stringify({ ...record('x'), kind: 'guessed' })],
    ['bytes', '\u0000\ufffd'],
  ];
  it.each(broken)('that hold %s are refused by name and left out of the list', async (_what, text) => {
    await write('20240101-good');
    await mkdir(join(directory, 'records'), { recursive: true });
    await writeFile(join(directory, 'records', '20240202-bad.json'), text);
    expect(await codeOf(readRecord(directory, '20240202-bad'))).toBe('record.invalid');
    await expect(readRecord(directory, '20240202-bad')).rejects.toThrow('20240202-bad.json');
    expect((await listRecords(directory)).map(({ id }) => id)).toEqual(['20240101-good']);
  });
});

describe('writeRecord', () => {
  it('says which path refused', async () => {
    const taken = join(directory, 'taken');
    await writeFile(taken, 'a file where the folder belongs');
    expect(await codeOf(writeRecord(taken, record('x')))).toBe('record.not-writable');
  });
});
