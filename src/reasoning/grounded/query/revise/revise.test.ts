import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCases, testCases } from '../../../../../test/fixtures/grounded/read-cases.ts';
import { smallKnowledge } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { DIALECTS } from '../../../../sql/dialects/index.ts';
import { findNames, parse } from '../../../../sql/index.ts';
import { printQuery } from '../../../../sql/print/index.ts';
import { readQuestion } from '../../hypothesise.ts';
import { makeCandidates, type ReadQuestion } from '../../rate/candidate.ts';
import type { ResolveContext } from '../../resolve/noun-candidates.ts';
import { neededTables } from '../plan/parts/plan-view.ts';
import { planVariants } from '../plan/plan-variants.ts';
import type { Draft } from './kinds/draft.ts';
import { REVISIONS, revise } from './revise.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-10-01T12:00:00Z');
const CASES = readCases(
  'revisions.jsonl',
  z.strictObject({
    revision: z.string(),
    question: z.string(),
    /** What one draft of the revision is planned to. */
    sql: z.string(),
    mustFail: z.string().optional(),
  }),
);
const QUESTIONS = [
  ...new Set(
    [...CASES, ...readCases('pairs.jsonl', z.looseObject({ question: z.string() }))].map(
      ({ question }) => question,
    ),
  ),
  'Show the title of songs and the name of singers not in concerts',
  'Show singers not from France and their songs',
  // more drafts than are looked at
  'Show the name, country, age, salary and phone number of singers from France or Portugal older than 20 and salary above 100 ordered by age',
  'Show the title, tickets and sales of concerts in stadiums in France or Portugal in 2023 with a capacity above 10000 and singers from France sorted by tickets',
];

const read = (question: string): ReadQuestion | null => readQuestion(question, KNOWLEDGE, NOW);

/** Drafts of every bound frame, as the rules leave them. */
function draftsOf({ bounds, frame }: ReadQuestion): Draft[] {
  const options = { limit: frame.limit, isDistinct: frame.isDistinct, overall: frame.overall };
  return bounds.map((bound) => ({ bound, options, revisions: [] }));
}

function sqlOf({ bound, options }: Draft, context: ResolveContext): string[] {
  return planVariants(bound, options, context).map(({ plan }) => oneLine(print(plan.query)));
}

function print(query: Parameters<typeof printQuery>[0]): string {
  return printQuery(query, DIALECTS.sqlite).sql;
}

function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

describe('revisions', () => {
  it('have names of their own, and cases', () => {
    const names = REVISIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const tested = new Set(CASES.map(({ revision }) => revision));
    expect(names.filter((name) => !tested.has(name))).toEqual([]);
    expect([...tested].filter((name) => !names.includes(name))).toEqual([]);
  });

  testCases(
    CASES,
    ({ revision, question }) => `${revision}: ${question}`,
    ({ revision, question, sql }) => {
      const asked = read(question);
      expect(asked).not.toBeNull();
      if (asked === null) return;
      const drafts = draftsOf(asked)
        .flatMap((draft) => revise(draft, asked))
        .filter(({ revisions }) => revisions.join() === revision);
      expect(drafts.flatMap((draft) => sqlOf(draft, asked.context))).toContain(sql);
    },
  );
});

describe('a draft that was changed', () => {
  const asked = QUESTIONS.flatMap((question) => read(question) ?? []);
  const drawn = fc.constantFrom(...asked).chain((question) =>
    fc.tuple(
      fc.constant(question),
      fc.constantFrom(...draftsOf(question)),
      // Changes of changes: their places among all that there are.
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 3 }),
    ),
  );
  const walk = (question: ReadQuestion, start: Draft, steps: readonly number[]): Draft[] => {
    const drafts: Draft[] = [];
    let at = start;
    for (const step of steps) {
      const next = revise(at, question);
      at = next[Math.floor(step * next.length)] ?? at;
      drafts.push(at);
    }
    return drafts;
  };

  it('names what was changed and holds every table that it needs', () =>
    fc.assert(
      fc.property(drawn, ([question, start, steps]) => {
        for (const { bound, revisions } of walk(question, start, steps)) {
          expect([...bound.tables]).toEqual(expect.arrayContaining([bound.subject, ...neededTables(bound)]));
          expect(bound.projections.length).toBeGreaterThan(0);
          for (const name of revisions) expect(REVISIONS.map((each) => each.name)).toContain(name);
        }
      }),
      { seed: 7, numRuns: 400 },
    ));

  it('is planned to SQL whose names are known, or is refused', () =>
    fc.assert(
      fc.property(drawn, ([question, start, steps]) => {
        for (const draft of walk(question, start, steps))
          for (const sql of sqlOf(draft, question.context)) expect(faultsOf(sql), sql).toEqual([]);
      }),
      { seed: 8, numRuns: 400 },
    ));

  it('leaves the draft that it was made of as it was, and is the same every time', () =>
    fc.assert(
      fc.property(drawn, ([question, start]) => {
        const before = sqlOf(start, question.context);
        const once = revise(start, question).map((draft) => sqlOf(draft, question.context));
        expect(revise(start, question).map((draft) => sqlOf(draft, question.context))).toEqual(once);
        expect(sqlOf(start, question.context)).toEqual(before);
      }),
      { seed: 9, numRuns: 60 },
    ));
});

describe('candidates', () => {
  it.each(QUESTIONS)('of “%s” are different queries with known names, 160 at most', (question) => {
    const asked = read(question);
    if (asked === null) return;
    const candidates = makeCandidates(asked);
    const queries = candidates.map(({ sql }) => sql);
    expect(new Set(queries).size).toBe(queries.length);
    expect(candidates.length).toBeLessThanOrEqual(160);
    expect(queries.flatMap(faultsOf)).toEqual([]);
    expect(makeCandidates(asked).map(({ sql }) => sql)).toEqual(queries);
  });
});

function faultsOf(sql: string): string[] {
  const parsed = parse(sql, 'sqlite');
  return parsed.ok
    ? findNames(parsed.tree, KNOWLEDGE.catalog).problems.map(({ kind, name }) => `${kind} ${name}: ${sql}`)
    : [`cannot be read: ${sql}`];
}
