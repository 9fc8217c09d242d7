import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../../knowledge/retrieve/index.ts';
import { indexItems } from '../items/link-items.ts';
import { bucketOf, type Decision, decide, type LinkState, type Refusal, startState } from './link-state.ts';
import { checkInvariants, linkedIds, tablesWithoutFields } from './linked-items.ts';

const items = indexItems(
  indexTables(
    smallCatalog({
      orders: ['id', 'date', 'total'],
      customers: ['id', 'name'],
      shops: ['id', 'city'],
      staff: ['id'],
    }),
  ),
);
const REASON = 'a plan of next year, and the question asks of the past';
const keep = (id: string, reason = ''): Decision => ({ kind: 'keep', id, reason });
const discard = (id: string, reason = REASON): Decision => ({ kind: 'discard', id, reason });

function start(allowUndo = false): LinkState {
  const required = new Set(['orders', 'orders.id']);
  const uncertain = new Set(['orders.date', 'customers', 'customers.id', 'customers.name', 'shops']);
  return startState(items, { required, uncertain }, allowUndo);
}

function stateAfter(decisions: readonly Decision[], state = start()): LinkState {
  return decide(state, decisions).state;
}

describe('updates', () => {
  it('keep an undecided item and settle its table with it', () => {
    const { state, outcomes } = decide(start(), [keep('customers.name', 'shown to the reader')]);
    expect(outcomes).toEqual([{ kind: 'kept', id: 'customers.name', also: ['customers'] }]);
    expect([...state.kept.keys()]).toEqual(['customers.name', 'customers']);
    expect(bucketOf(state, 'customers.id')).toBe('uncertain');
  });

  it('bring a candidate back with its table', () => {
    const state = stateAfter([keep('staff.id')]);
    expect([bucketOf(state, 'staff.id'), bucketOf(state, 'staff')]).toEqual(['kept', 'kept']);
  });

  it('discard an undecided item with its reason', () => {
    const state = stateAfter([discard('orders.date')]);
    expect([...state.discarded]).toEqual([['orders.date', REASON]]);
    expect(linkedIds(state).has('orders.date')).toBe(false);
  });

  it('discard the undecided fields with their table', () => {
    const { state, outcomes } = decide(start(), [discard('customers')]);
    expect(outcomes).toEqual([
      { kind: 'discarded', id: 'customers', also: ['customers.id', 'customers.name'] },
    ]);
    expect(state.discarded.get('customers.name')).toBe('parent discarded');
  });

  it('leave the old state as it was', () => {
    const before = start();
    stateAfter([keep('shops'), discard('customers')], before);
    expect(before).toEqual(start());
  });

  it('bring back what was discarded where undo is allowed', () => {
    const state = stateAfter([discard('customers'), keep('customers.name')], start(true));
    expect([bucketOf(state, 'customers.name'), bucketOf(state, 'customers')]).toEqual(['kept', 'kept']);
    expect(bucketOf(state, 'customers.id')).toBe('discarded');
  });
});

describe('refusals', () => {
  const kept = stateAfter([keep('shops'), keep('customers.name')]);
  const gone = stateAfter([discard('customers')]);
  const cases: readonly (readonly [string, LinkState, Decision, Refusal])[] = [
    ['keeping what is required', start(), keep('orders'), 'required'],
    ['discarding what is required', start(), discard('orders.id'), 'required'],
    ['discarding without a reason', start(), discard('shops', '  '), 'no-reason'],
    ['discarding with a short reason', start(), discard('shops', 'not useful'), 'short-reason'],
    [
      'discarding for low support',
      start(),
      discard('shops', 'only one of four hypotheses chose it'),
      'support-reason',
    ],
    [
      'naming the item beside low support',
      start(),
      discard('shops', 'shops has a low credibility score, 0.33'),
      'support-reason',
    ],
    ['discarding what is kept', kept, discard('shops'), 'kept'],
    ['keeping what is kept', kept, keep('shops'), 'already-kept'],
    ['discarding what nobody chose', start(), discard('staff'), 'candidate'],
    ['keeping what is discarded', gone, keep('customers'), 'discarded'],
    ['keeping a field that went with its table', gone, keep('customers.id'), 'discarded'],
    ['discarding what is discarded', gone, discard('customers'), 'already-discarded'],
    ['keeping what is not there', start(), keep('orders.nothing'), 'unknown-item'],
    ['discarding what is not there', start(), discard('__proto__'), 'unknown-item'],
    [
      'keeping a candidate of a discarded table',
      stateAfter([discard('shops')]),
      keep('shops.city'),
      'table-discarded',
    ],
    [
      'discarding a table with a kept field',
      {
        ...start(),
        uncertain: new Set(['customers']),
        kept: new Map([['customers.name', '']]),
      },
      discard('customers'),
      'settled-fields',
    ],
    [
      'discarding a table with a required field',
      { ...start(), required: new Set(['orders.id']), uncertain: new Set(['orders']) },
      discard('orders'),
      'settled-fields',
    ],
  ];

  it.each(cases)('%s changes nothing and says why', (_, state, decision, refusal) => {
    const copy = structuredClone(state.uncertain);
    const result = decide(state, [decision]);
    expect(result.state).toBe(state);
    expect(state.uncertain).toEqual(copy);
    expect(result.outcomes).toMatchObject([{ kind: 'refused', id: decision.id, refusal }]);
    expect(result.outcomes[0]).toHaveProperty('text', expect.stringMatching(/\w{4,}/));
  });

  it('come one by one beside what is done', () => {
    const { state, outcomes } = decide(start(), [discard('orders'), keep('shops'), keep('shops')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'kept', 'refused']);
    expect(bucketOf(state, 'shops')).toBe('kept');
  });

  it.each(['budget figures, not actuals', 'Planwerte, keine Istwerte', 'internal audit columns'])(
    'do not meet a reason that says something: %s',
    (reason) => expect(decide(start(), [discard('shops', reason)]).outcomes[0]?.kind).toBe('discarded'),
  );
});

describe('what is returned', () => {
  it('is what is required, kept or undecided, closed over tables', () => {
    const state = { ...start(), required: new Set(['orders.id']), uncertain: new Set<string>() };
    expect([...linkedIds(state)]).toEqual(['orders.id', 'orders']);
  });

  it('flags tables without a field', () => {
    expect(tablesWithoutFields(start())).toEqual(['shops']);
  });
});

describe('the laws', () => {
  const ids = ['orders', 'customers', 'shops', 'staff'].flatMap((id) => [
    id,
    ...(items.table(id)?.columns.map((column) => column.id) ?? []),
  ]);
  const id = fc.constantFrom(...ids, 'nothing', 'orders.nothing');
  const decision: fc.Arbitrary<Decision> = fc.record({
    kind: fc.constantFrom('keep', 'discard'),
    id,
    reason: fc.constantFrom('', 'low support', REASON),
  });

  it('hold over random sequences of decisions', { timeout: 60_000 }, () => {
    const sequence = fc.array(fc.array(decision, { maxLength: 4 }), { maxLength: 10 });
    fc.assert(
      fc.property(fc.subarray(ids), fc.nat(3), fc.boolean(), sequence, (chosen, tau, allowUndo, calls) => {
        let state = startState(items, bucketsOf(chosen, tau), allowUndo);
        const { required } = state;
        for (const decisions of calls) {
          const before = state;
          const copy = snapshot(before);
          const decided = decide(before, decisions);
          state = decided.state;
          const isRefused = decided.outcomes.every(({ kind }) => kind === 'refused');
          expect([
            ...checkInvariants(state),
            ...(snapshot(before) === copy ? [] : ['the old state has changed']),
            ...(state.required === required ? [] : ['what is required has changed']),
            ...(isRefused && state !== before ? ['a refusal has changed the state'] : []),
          ]).toEqual([]);
        }
        for (const each of ids) expect(bucketOf(state, each)).toBeDefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it('are told when they are broken', () => {
    const broken: LinkState = {
      ...start(),
      discarded: new Map([
        ['orders', 'x'],
        ['nothing', 'x'],
      ]),
    };
    expect(checkInvariants(broken)).toEqual([
      'an item is in two sets',
      'an item is not in the catalog',
      'a discarded item is returned',
      'a field is returned without its table',
    ]);
  });

  /** Every fourth chosen item is required; the table of a chosen field is chosen too, as paths do it. */
  function bucketsOf(chosen: readonly string[], offset: number) {
    const closed = new Set(chosen.flatMap((each) => [each, items.tableOf(each) ?? each]));
    const locked = [...closed].filter((_, index) => index % 4 === offset);
    const required = new Set(locked.flatMap((each) => [each, items.tableOf(each) ?? each]));
    return { required, uncertain: new Set([...closed].filter((each) => !required.has(each))) };
  }

  function snapshot({ required, uncertain, kept, discarded }: LinkState): string {
    return JSON.stringify([[...required], [...uncertain], [...kept], [...discarded]]);
  }
});
