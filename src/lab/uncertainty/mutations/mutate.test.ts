import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../../../test/fixtures/sql/compare-read.ts';
import { SHOP } from '../../../../test/fixtures/uncertainty/shop.ts';
import { type ReadQuery, readQuery } from '../../../faults/reading/index.ts';
import { seededRandom } from '../../../lib/seeded-random.ts';
import { DIALECT_NAMES } from '../../../sql/dialects/dialects.ts';
import { ERROR_RATES } from './error-rates.ts';
import { RESPELLINGS } from './kinds/respellings.ts';
import { keyOf, mutate, restyle } from './make-training-pairs.ts';
import { ERRORS, HARMLESS } from './mutations.ts';
import { ERROR_NAMES, type ErrorName, HARMLESS_NAMES, type HarmlessName } from './site/mutation.ts';
import { openSite } from './site/site.ts';

interface Row {
  readonly kind: ErrorName | HarmlessName;
  readonly gold: string;
  readonly question?: string;
  /** All that may come out; each of them does. */
  readonly results: readonly string[];
}

const read = (sql: string): ReadQuery => {
  const result = readQuery(sql, 'sqlite', SHOP);
  if (!result.ok) throw new Error(`${result.because}: ${sql}`);
  return result.query;
};
const cases = readFileSync('test/fixtures/uncertainty/mutations.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line));
const isError = (kind: Row['kind']): kind is ErrorName => ERROR_NAMES.some((name) => name === kind);

const GOLD = [
  ...new Set(cases.map(({ gold }) => gold)),
  `SELECT T1.name, COUNT(*) FROM customer AS T1 INNER JOIN orders AS T2 ON T1.id = T2.customer_id WHERE T2.status = 'paid'
   AND T2.placed_on BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY T1.id HAVING SUM(T2.total) > 100 ORDER BY COUNT(*) DESC LIMIT 5`,
  `WITH big AS (SELECT customer_id FROM orders WHERE total > 10) SELECT name FROM customer WHERE id IN (SELECT customer_id FROM big)`,
  'SELECT name FROM customer UNION SELECT name FROM country ORDER BY 1',
];
const asked = {
  question: 'Which "paid" orders of Paris cost more than 100 in 2024?',
  hint: 'paid refers to status',
};
const aGold = fc.constantFrom(...GOLD);
const aSeed = fc.integer({ min: 0, max: 1_000_000 });

describe('every kind of change', () => {
  it.each(cases)('$kind of $gold', ({ kind, gold, question = '', results }) => {
    const query = read(gold);
    const found = new Set<string>();
    // Rare results need many draws; most cases are complete after a few.
    for (let seed = 1; seed <= 400 && (seed <= 40 || found.size < results.length); seed += 1) {
      const random = seededRandom(seed);
      const about = { question, hint: '' };
      const changed = isError(kind)
        ? mutate(query, SHOP, about, random, { edits: 1, only: [kind] })
        : restyle(query, SHOP, about, random, { edits: 1, only: [kind] });
      if (changed === undefined) continue;
      expect(changed.edits.map((edit) => edit.kind)).toEqual([kind]);
      found.add(changed.sql.replace(/\s+/g, ' '));
    }
    expect([...found].sort()).toEqual([...results].sort());
    expect(found.size).toBeGreaterThan(0);
  });

  it('has a case, a rate and a place in the list', () => {
    expect(ERRORS.map(({ name }) => name).toSorted()).toEqual([...ERROR_NAMES].toSorted());
    expect(HARMLESS.map(({ name }) => name).toSorted()).toEqual([...HARMLESS_NAMES].toSorted());
    expect(Object.keys(ERROR_RATES)).toEqual([...ERROR_NAMES]);
    const tested = new Set(cases.map(({ kind }) => kind));
    expect([...ERROR_NAMES, ...HARMLESS_NAMES].filter((name) => !tested.has(name))).toEqual([]);
    for (const rate of Object.values(ERROR_RATES)) expect(rate).toBeGreaterThan(0);
  });
});

describe('mutate', () => {
  it('gives a query that parses and says something else', () => {
    fc.assert(
      fc.property(aGold, aSeed, (gold, seed) => {
        const query = read(gold);
        const wrong = mutate(query, SHOP, asked, seededRandom(seed));
        expect(wrong).toBeDefined();
        expect(keyOf(read(wrong?.sql ?? ''))).not.toBe(keyOf(query));
        expect(wrong?.edits.length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same for the same numbers', () => {
    fc.assert(
      fc.property(aGold, aSeed, (gold, seed) => {
        const [one, other] = [0, 1].map(() => mutate(read(gold), SHOP, asked, seededRandom(seed)));
        expect(one?.sql).toBe(other?.sql);
        expect(one?.edits).toEqual(other?.edits);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves the case of a pattern as it is, which LIKE does not regard', () => {
    const query = read("SELECT id FROM customer WHERE name LIKE '%Ann%'");
    expect(mutate(query, SHOP, asked, seededRandom(1), { edits: 1, only: ['literal-case'] })).toBeUndefined();
  });

  it('does not take the other side of an inner join for another column', () => {
    const query = read('SELECT T2.id FROM orders AS T1 JOIN customer AS T2 ON T1.customer_id = T2.id');
    for (let seed = 0; seed < 200; seed += 1) {
      const wrong = mutate(query, SHOP, asked, seededRandom(seed), {
        edits: 1,
        only: ['column-of-other-table'],
      });
      expect(wrong?.sql).not.toContain('SELECT T1.customer_id');
    }
  });
});

describe('restyle', () => {
  it('keeps the normal form where only the spelling changes', () => {
    const only = RESPELLINGS.map(({ name }) => name);
    fc.assert(
      fc.property(aGold, aSeed, fc.integer({ min: 1, max: 5 }), (gold, seed, edits) => {
        const query = read(gold);
        const same = restyle(query, SHOP, asked, seededRandom(seed), { edits, only });
        if (same !== undefined) expect(keyOf(same.query), same.sql).toBe(keyOf(query));
      }),
      { numRuns: 500 },
    );
  });
});

describe('all kinds', () => {
  const linesOf = (name: string): string[] =>
    readFileSync(`test/fixtures/sql/identity-${name}.sql`, 'utf8').split('\n');
  const lines = DIALECT_NAMES.flatMap((dialect) =>
    [...linesOf('all'), ...linesOf(dialect)].map((sql) => ({ sql, dialect })),
  );
  const rows = readRows<{ dialect: (typeof DIALECT_NAMES)[number]; a: string }>('compare-same');

  it('propose without throwing and only what can be applied, whatever the query', () => {
    const all = [...lines, ...rows.map(({ a, dialect }) => ({ sql: a, dialect }))];
    let looked = 0;
    for (const { sql, dialect } of all) {
      const query = readQuery(sql, dialect, SHOP);
      if (!query.ok) continue;
      looked += 1;
      const site = openSite(query.query, SHOP, asked, seededRandom(looked));
      for (const kind of [...ERRORS, ...HARMLESS])
        for (const { patches, node } of kind.propose(site)) {
          expect(query.query.tree.nodes[node.id]).toBe(node);
          for (const { span } of patches) expect(0 <= span.start && span.end <= sql.length).toBe(true);
        }
      mutate(query.query, SHOP, asked, seededRandom(looked));
      restyle(query.query, SHOP, asked, seededRandom(looked), { edits: 3 });
    }
    expect(looked).toBeGreaterThan(200);
  });
});
