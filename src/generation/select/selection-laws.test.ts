/** What holds for whatever candidates there are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import { selectCandidate } from './select-candidate.ts';
import type { CandidateOutcome, SelectionCandidate } from './selection-candidate.ts';

const TREES = [
  'SELECT a FROM t',
  'SELECT a FROM t WHERE x = 1',
  'select a from T where 1 = x',
  'SELECT a, b FROM t JOIN u ON t.i = u.i',
].map((sql) => treeOf(sql));

const cell = fc.constantFrom(0, 1, 1.0004, 2, null, 'a');
const ran = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 1 }), { maxLength: 2 })
  .map((rows): CandidateOutcome => ({ kind: 'rows', result: { columns: ['c'], rows } }));
const failed = fc.constant<CandidateOutcome>({ kind: 'failed', message: 'it failed' });
const unrun = fc.constant<CandidateOutcome>({ kind: 'not-run' });
const weight = fc.constantFrom(0.1, 0.3, 1, 2);
const share = fc.constantFrom(0, 0.25, 0.5, 0.9, 1);

type Made = Omit<SelectionCandidate, 'index'>;

const made = (outcome: fc.Arbitrary<CandidateOutcome>): fc.Arbitrary<Made> =>
  fc
    .record(
      {
        outcome,
        problems: fc.constantFrom<readonly string[]>([], [], [], ['no table t']),
        tree: fc.constantFrom(...TREES),
        doubts: fc.constantFrom<readonly string[]>([], ['the column has no such value']),
        weight,
        testsPassed: share,
        risk: share,
        literalsExist: fc.boolean(),
      },
      { requiredKeys: ['outcome', 'problems'] },
    )
    .map((one) => one as Made);

const lists = fc
  .oneof(
    fc.array(made(fc.oneof({ weight: 4, arbitrary: ran }, failed, unrun)), { maxLength: 7 }),
    fc.array(made(fc.oneof({ weight: 4, arbitrary: unrun }, failed)), { maxLength: 7 }),
  )
  .map((list) => list.map((one, index): SelectionCandidate => ({ ...one, index })));

const isSound = ({ problems, outcome }: SelectionCandidate): boolean =>
  problems.length === 0 && outcome.kind !== 'failed';

describe('selection', () => {
  it('does not look at the order of the list', () => {
    fc.assert(
      fc.property(
        lists.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          const chosen = (of: readonly SelectionCandidate[]): number | undefined =>
            of[selectCandidate(of).chosen ?? -1]?.index;
          expect(chosen(shuffled)).toBe(chosen(list));
        },
      ),
    );
  });

  it('never lets a group lose by one more candidate that says the same', () => {
    fc.assert(
      fc.property(lists, weight, (list, more) => {
        const before = selectCandidate(list);
        const winner = list[before.chosen ?? -1];
        if (winner === undefined) return;
        const { risk: _, testsPassed: __, ...same } = winner;
        const added = [...list, { ...same, weight: more, index: list.length }];
        const after = selectCandidate(added);
        expect(after.groups[0]?.members).toEqual(
          expect.arrayContaining([...(before.groups[0]?.members ?? [])]),
        );
        expect(after.groups[0]?.members).toContain(list.length);
      }),
    );
  });

  it('never chooses what fails, and always what is sound if anything is', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const { chosen, groups } = selectCandidate(list);
        const winner = list[chosen ?? -1];
        if (winner !== undefined) expect(isSound(winner)).toBe(true);
        const isReadable = (one: SelectionCandidate): boolean =>
          isSound(one) && (one.outcome.kind === 'rows' || one.tree !== undefined);
        expect(chosen === undefined).toBe(!list.some(isReadable));
        for (const { members } of groups)
          for (const at of members) expect(list[at] && isSound(list[at])).toBe(true);
      }),
    );
  });

  it('gives shares that are all of the vote', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const { groups } = selectCandidate(list);
        const total = groups.reduce((sum, group) => sum + group.share, 0);
        expect(total).toBeCloseTo(groups.length === 0 ? 0 : 1, 6);
      }),
    );
  });
});
