import { describe, expect, it } from 'vitest';
import { authoredText } from '../../catalog/share/index.ts';
import type { QueryResult } from '../../database/index.ts';
import { ANSWER_MODES } from '../../generation/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type {
  Draw,
  WriteQuestion,
  WriteReasoner,
  WrittenQuery,
} from '../../reasoning/roles/write-reasoner.ts';
import { type CandidateTools, generateCandidate, type Run } from './generate-candidates.ts';

const question: WriteQuestion = {
  text: 'q',
  knowledge: [],
  examples: [],
  schema: authoredText('small'),
  dialect: 'sqlite',
  today: '2024-01-01',
  ledger: new TokenLedger(),
};
const draw: Draw = { index: 0, method: 'direct', temperature: 0 };

const written = (sql: string): WrittenQuery => ({
  sql,
  explanation: '',
  assumptions: [],
  tables: [],
  columns: [],
});
const rows = (count: number): Run => {
  const result: QueryResult = {
    columns: ['n'],
    rows: Array.from({ length: count }, () => [1]),
    truncatedBy: null,
    ms: 1,
  };
  return { ok: true, result };
};
const failed: Run = { ok: false, error: 'division by zero' };

interface World {
  /** What the model writes first, and at each mending and revision. */
  readonly writes: readonly string[];
  /** Queries with faults. */
  readonly broken?: readonly string[];
  /** Definitions that a query breaks. */
  readonly breaks?: Readonly<Record<string, string>>;
  /** Faults that are wrong names. */
  readonly wrongNames?: boolean;
  readonly repairs?: Readonly<Record<string, string>>;
  readonly runs?: Readonly<Record<string, Run>>;
  readonly mode?: keyof typeof ANSWER_MODES;
}

function drafting({
  writes,
  broken = [],
  breaks = {},
  wrongNames = false,
  repairs = {},
  runs = {},
  mode = 'careful',
}: World) {
  const calls: string[] = [];
  const next = (role: string) => async (): Promise<WrittenQuery> => {
    calls.push(role);
    return written(
      writes[calls.filter((call) => ['write', 'fix', 'revise'].includes(call)).length - 1] ?? '?',
    );
  };
  const writer = {
    kind: 'model',
    write: next('write'),
    fix: next('fix'),
    revise: next('revise'),
    research: async () => {
      calls.push('research');
      return [];
    },
    reflect: async () => {
      calls.push('reflect');
      return { isEnough: true, advice: 'use t' };
    },
    writeTests: async () => [],
    judgeTests: async () => [],
  } satisfies WriteReasoner;
  const tools: CandidateTools = {
    writer,
    mode: ANSWER_MODES[mode],
    check: async (sql) => {
      const ok = !broken.includes(sql);
      return {
        ok,
        checks: [],
        problems: ok ? [] : [`fault of ${sql}`],
        doubts: [],
        breaks: breaks[sql] === undefined ? [] : [breaks[sql]],
        weight: ok ? 0 : 1,
        hasWrongNames: !ok && wrongNames,
      };
    },
    repair: (sql) => {
      const repaired = repairs[sql];
      return repaired === undefined ? undefined : { sql: repaired, changes: ['a name'] };
    },
    run: async (sql) => runs[sql] ?? rows(1),
    research: { findTables: async () => [], describeTable: () => undefined },
    withTables: (asked) => ({ ...asked, schema: authoredText('wide') }),
  };
  return { calls, draft: generateCandidate(question, draw, tools) };
}

describe('a definition that is broken', () => {
  it('is told once, also where a name had to be mended first', async () => {
    const { calls, draft } = drafting({
      writes: ['wrong name', 'all rows', 'open rows'],
      broken: ['wrong name'],
      breaks: { 'all rows': 'only open ones count' },
    });
    expect(await draft).toMatchObject({ sql: 'open rows' });
    expect(calls.filter((call) => call === 'fix')).toHaveLength(2);
  });

  it('costs no sound query where mending it breaks that', async () => {
    const { draft } = drafting({
      writes: ['all rows', 'no SQL'],
      broken: ['no SQL'],
      breaks: { 'all rows': 'only open ones count' },
    });
    expect(await draft).toMatchObject({
      sql: 'all rows',
      verdict: { ok: true, breaks: ['only open ones count'] },
    });
  });
});

describe('generateCandidate', () => {
  const cases: readonly (readonly [name: string, world: World, sql: string, calls: readonly string[]])[] = [
    ['takes a sound query as it is', { writes: ['a'] }, 'a', ['write']],
    ['lets rules mend first', { writes: ['a'], broken: ['a'], repairs: { a: 'b' } }, 'b', ['write']],
    ['lets the model mend the rest', { writes: ['a', 'c'], broken: ['a'] }, 'c', ['write', 'fix']],
    [
      'keeps of the rules what helps nothing away',
      { writes: ['a', 'c'], broken: ['a', 'b'], repairs: { a: 'b' } },
      'c',
      ['write', 'fix'],
    ],
    [
      'looks wrong names up before it mends',
      { writes: ['a', 'c'], broken: ['a'], wrongNames: true },
      'c',
      ['write', 'reflect', 'fix'].flatMap((call) => (call === 'reflect' ? ['research', 'reflect'] : [call])),
    ],
    [
      'looks nothing up in fast mode',
      { writes: ['a', 'c'], broken: ['a'], wrongNames: true, mode: 'fast' },
      'c',
      ['write', 'fix'],
    ],
    [
      'mends twice at most',
      { writes: ['a', 'b', 'c', 'd'], broken: ['a', 'b', 'c', 'd'] },
      'c',
      ['write', 'fix', 'fix'],
    ],
    [
      'stops where mending changes nothing',
      { writes: ['a', 'A ;'], broken: ['a', 'A ;'] },
      'A ;',
      ['write', 'fix'],
    ],
    ['writes anew what fails', { writes: ['a', 'b'], runs: { a: failed } }, 'b', ['write', 'revise']],
    ['writes anew what is empty', { writes: ['a', 'b'], runs: { a: rows(0) } }, 'b', ['write', 'revise']],
    [
      'keeps an empty result that nothing speaks against, in fast mode',
      { writes: ['a', 'b'], runs: { a: rows(0) }, mode: 'fast' },
      'a',
      ['write'],
    ],
    [
      'keeps the first where writing anew makes it worse',
      { writes: ['a', 'b', 'c', 'd'], runs: { a: rows(0), b: failed, c: failed, d: failed } },
      'a',
      ['write', 'revise', 'revise', 'revise'],
    ],
    [
      'keeps the first where the new one cannot be mended',
      { writes: ['a', 'b', 'b'], runs: { a: rows(0) }, broken: ['b'] },
      'a',
      ['write', 'revise', 'fix'],
    ],
    [
      'takes the same words again for an answer',
      { writes: ['a', 'a'], runs: { a: rows(0) } },
      'a',
      ['write', 'revise'],
    ],
  ];
  it.each(cases)('%s', async (_, world, sql, calls) => {
    const { draft, calls: made } = drafting(world);
    expect(await draft).toMatchObject({ sql });
    expect(made).toEqual(calls);
  });

  it('runs nothing that did not pass the checks', async () => {
    const { draft } = drafting({ writes: ['a', 'a'], broken: ['a'] });
    const { result, verdict } = (await draft) as { result?: unknown; verdict: { ok: boolean } };
    expect([result, verdict.ok]).toEqual([undefined, false]);
  });

  it('tells what happened', async () => {
    const { draft } = drafting({ writes: ['a', 'b', 'c'], broken: ['a'], runs: { b: failed } });
    expect(await draft).toMatchObject({
      sql: 'c',
      rounds: { fixes: 1, revisions: 1 },
      story: ['mended by the model: fault of a', 'written anew by the model: division by zero'],
    });
  });
});
