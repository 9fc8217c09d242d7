import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SINGERS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import { type ReadQuery, readQuery } from '../../faults/reading/index.ts';
import { patchText } from '../../sql/rewrite/index.ts';
import { type Unit, unitsOf } from '../units/highlight-units.ts';
import type { Assessment } from '../units/node-risk.ts';
import { checkRepair, findEditOutside, type RepairCheck } from './check-repair.ts';
import type { RepairOrder } from './repair-order.ts';

function orderFor({ tree }: ReadQuery, units: readonly Unit[]): RepairOrder {
  return {
    sql: tree.text,
    units: units.map(({ kind, span, text, anchor }) => ({
      ...{ kind, span, text, anchor, probability: 0.9, evidence: [] },
    })),
  };
}

const assessment = (sql: string, queryRisk: number, parts: Partial<Assessment> = {}): Assessment => ({
  ...{ sql, nodes: [], units: [], queryRisk, ...parts },
});

/** The verdict on `after` where the parts `kind text` of `before` are to be repaired, and all else is well. */
function verdict(before: string, parts: readonly string[], after: string, rest: Partial<RepairCheck> = {}) {
  const query = singerQuery(before);
  const chosen = unitsOf(query).filter(({ kind, text }) => parts.includes(`${kind} ${text}`));
  expect(chosen.length).toBeGreaterThanOrEqual(parts.length);
  const read = readQuery(after, 'sqlite', SINGERS);
  const [assessmentBefore, assessmentAfter] = [assessment(before, 0.9), assessment(after, 0.4)];
  const order = orderFor(query, chosen);
  return checkRepair({
    before: query,
    after: read,
    order,
    assessmentBefore,
    assessmentAfter,
    checksOk: true,
    ...rest,
  });
}

const AGE = 'SELECT name FROM singer WHERE age > 3';
const JOINED = 'SELECT s.name FROM singer AS s JOIN concert AS c ON s.id = c.singer_id WHERE c.year = 2014';

describe('a repair is accepted when', () => {
  it.each<[what: string, before: string, units: readonly string[], after: string]>([
    ['a literal became another', AGE, ['literal 3'], 'SELECT name FROM singer WHERE age > 30'],
    ['a column became another', AGE, ['column name'], 'SELECT country FROM singer WHERE age > 3'],
    ['a column became an expression', AGE, ['column name'], 'SELECT UPPER(name) FROM singer WHERE age > 3'],
    [
      'a condition became another',
      AGE,
      ['condition age > 3'],
      "SELECT name FROM singer WHERE country = 'Spain'",
    ],
    ['a condition of its own unit is gone', AGE, ['condition age > 3'], 'SELECT name FROM singer'],
    [
      'a clause got another condition',
      AGE,
      ['clause WHERE'],
      'SELECT name FROM singer WHERE age > 3 AND id > 1',
    ],
    ['a column is gone', 'SELECT name, age FROM singer', ['column age'], 'SELECT name FROM singer'],
    [
      'the rest is only laid out and spelled anew',
      AGE,
      ['literal 3'],
      'select NAME\nfrom singer where (age > 30)',
    ],
    [
      'tables got other aliases',
      JOINED,
      ['literal 2014'],
      'SELECT a.name FROM singer AS a JOIN concert AS b ON a.id = b.singer_id WHERE b.year = 2015',
    ],
    [
      'a new column brought a name that nothing goes by',
      AGE,
      ['column name'],
      'SELECT country AS place FROM singer WHERE (age > 3)',
    ],
    [
      'a table became another, its key with it',
      JOINED,
      ['table concert AS c', 'condition c.year = 2014'],
      'SELECT s.name FROM singer AS s JOIN venue AS v ON s.id = v.id WHERE v.city = 1',
    ],
    [
      'a join came in for a new column',
      'SELECT name FROM singer WHERE age > 3',
      ['column name'],
      'SELECT c.year FROM singer AS s JOIN concert AS c ON s.id = c.singer_id WHERE s.age > 3',
    ],
    [
      'two joins came in, one to reach the other',
      'SELECT name FROM singer',
      ['column name'],
      'SELECT v.city FROM singer s JOIN concert c ON s.id = c.singer_id JOIN venue v ON c.venue_id = v.id',
    ],
    [
      'the order of a key was turned',
      'SELECT name FROM singer ORDER BY age, name',
      ['order age'],
      'SELECT name FROM singer ORDER BY age DESC, name',
    ],
    [
      'a limit became another',
      'SELECT name FROM singer ORDER BY age LIMIT 1',
      ['limit LIMIT 1'],
      'SELECT name FROM singer ORDER BY age LIMIT 5',
    ],
    [
      'a name that meant two columns got a table',
      'SELECT id FROM singer AS s JOIN concert AS c ON s.id = c.singer_id',
      ['column id'],
      'SELECT s.id FROM singer AS s JOIN concert AS c ON s.id = c.singer_id',
    ],
  ])('%s', (_, before, units, after) => {
    expect(verdict(before, units, after)).toMatchObject({ isAccepted: true, fall: 0.5 });
  });
});

describe('a repair is refused for an edit outside its units when', () => {
  it.each<[what: string, before: string, units: readonly string[], after: string]>([
    ['another literal changed', AGE, ['column name'], 'SELECT country FROM singer WHERE age > 4'],
    ['a condition was added', AGE, ['literal 3'], 'SELECT name FROM singer WHERE age > 30 AND id > 1'],
    ['a condition is gone', AGE, ['column name'], 'SELECT country FROM singer'],
    ['the sign of a condition changed', AGE, ['literal 3'], 'SELECT name FROM singer WHERE age >= 30'],
    ['DISTINCT came in', AGE, ['literal 3'], 'SELECT DISTINCT name FROM singer WHERE age > 30'],
    ['a limit came in', AGE, ['literal 3'], 'SELECT name FROM singer WHERE age > 30 LIMIT 1'],
    ['a column came in', AGE, ['literal 3'], 'SELECT name, age FROM singer WHERE age > 30'],
    [
      'a join came in that nothing needs',
      AGE,
      ['literal 3'],
      'SELECT s.name FROM singer s JOIN concert c ON s.id = c.singer_id WHERE s.age > 30',
    ],
    [
      'a join came in with a filter',
      'SELECT name FROM singer',
      ['column name'],
      'SELECT c.year FROM singer s JOIN concert c ON s.id = c.singer_id AND c.year > 2000',
    ],
    [
      'a join came in without a key',
      'SELECT name FROM singer',
      ['column name'],
      'SELECT c.year FROM singer s CROSS JOIN concert c',
    ],
    [
      'a query came in as a table',
      'SELECT name FROM singer',
      ['column name'],
      'SELECT c.year FROM singer s JOIN (SELECT * FROM concert LIMIT 1) c ON s.id = c.singer_id',
    ],
    [
      'a table became a query',
      'SELECT name FROM singer',
      ['table singer'],
      'SELECT name FROM (SELECT name FROM singer WHERE age > 3) AS singer',
    ],
    [
      'a column of a replaced table became something else',
      'SELECT year FROM concert',
      ['table concert'],
      'SELECT 1 FROM venue',
    ],
    [
      'an inner join became a left join',
      JOINED,
      ['literal 2014'],
      JOINED.replace('JOIN', 'LEFT JOIN').replace('2014', '2015'),
    ],
    [
      'names of the select list were exchanged',
      'SELECT id AS a, age AS b FROM singer WHERE age > 3 ORDER BY a',
      ['literal 3'],
      'SELECT id AS b, age AS a FROM singer WHERE age > 30 ORDER BY a',
    ],
    [
      'a name that ORDER BY goes by was taken away',
      'SELECT singer_id AS id FROM concert WHERE year > 3 ORDER BY id',
      ['literal 3'],
      'SELECT singer_id FROM concert WHERE year > 30 ORDER BY id',
    ],
    [
      'a name outside has come to mean two columns',
      'SELECT name, id FROM singer',
      ['column name'],
      'SELECT c.year, id FROM singer s JOIN concert c ON s.id = c.singer_id',
    ],
  ])('%s', (_, before, units, after) => {
    expect(verdict(before, units, after)).toMatchObject({ because: 'edit outside the units' });
  });
});

describe('a repair is refused when', () => {
  const good = 'SELECT name FROM singer WHERE age > 30';
  it.each<[what: string, after: string, rest: Partial<RepairCheck>, because: string]>([
    ['it does not parse', 'SELECT name FROM', {}, 'does not parse'],
    ['it is another statement', 'DELETE FROM singer', {}, 'not read-only'],
    ['it is the same text', `${AGE} `, {}, 'unchanged'],
    ['another check fails', good, { checksOk: false }, 'checks failed'],
    ['the risk hardly falls', good, { assessmentAfter: assessment(good, 0.86) }, 'risk not lower'],
    ['the risk rises', good, { assessmentAfter: assessment(good, 0.95) }, 'risk not lower'],
    [
      'nobody could look at it',
      good,
      { assessmentAfter: assessment(good, 0, { unreadBecause: 'too large' }) },
      'risk not lower',
    ],
  ])('%s', (_, after, rest, because) => {
    expect(verdict(AGE, ['literal 3'], after, rest)).toMatchObject({ isAccepted: false, because });
  });

  it('but not when the risk falls by just enough', () => {
    const rest = { assessmentBefore: assessment(AGE, 0.5), assessmentAfter: assessment(good, 0.45) };
    expect(verdict(AGE, ['literal 3'], good, rest).isAccepted).toBe(true);
  });
});

const WIDE = singerQuery(
  `SELECT s.name, COUNT(*) FROM singer AS s JOIN concert AS c ON s.id = c.singer_id
   WHERE s.age > 20 AND (s.country = 'Spain' OR c.year BETWEEN 2010 AND 2012)
   AND c.venue_id IN (SELECT v.id FROM venue AS v WHERE v.city LIKE 'A%')
   GROUP BY s.name HAVING COUNT(*) > 2 ORDER BY COUNT(*) DESC, s.name LIMIT 7`,
);

/** Texts that say something else wherever they take the place of a unit of their kind. */
const OTHERS: Readonly<Partial<Record<Unit['kind'], readonly string[]>>> = {
  column: ['s.country', 'c.id', 'LENGTH(s.name)'],
  literal: ["'elsewhere'", '99'],
  condition: ['s.id <> 5', 'c.year IS NULL'],
  function: ['SUM(c.year)', 'MAX(s.age)'],
  limit: ['LIMIT 8', 'LIMIT 70'],
  order: ['s.age', 'c.year DESC'],
  table: ['venue AS s', 'venue AS c', 'singer AS v'],
};
const UNITS = unitsOf(WIDE);
const PATCHABLE = UNITS.filter(({ kind }) => OTHERS[kind] !== undefined);

function isInside(inner: Unit, outer: Unit): boolean {
  for (let at: Unit | undefined = inner; at !== undefined; at = UNITS[at.parent ?? -1])
    if (at === outer) return true;
  return false;
}

describe('random edits', () => {
  const edits = fc
    .array(fc.tuple(fc.constantFrom(...PATCHABLE), fc.nat(2)), { minLength: 1, maxLength: 4 })
    .map((drawn) => {
      const patches: { unit: Unit; text: string }[] = [];
      for (const [unit, nth] of drawn) {
        const texts = (OTHERS[unit.kind] ?? []).filter((text) => text !== unit.text);
        const isFree = patches.every((other) => !isInside(unit, other.unit) && !isInside(other.unit, unit));
        if (isFree) patches.push({ unit, text: texts[nth % texts.length] ?? '' });
      }
      return patches;
    });
  const allowed = fc.subarray([...PATCHABLE], { minLength: 1, maxLength: 3 });

  it('are taken if and only if all of them lie in the units of the order', () => {
    let taken = 0;
    fc.assert(
      fc.property(edits, allowed, fc.boolean(), (drawn, units, isForced) => {
        const order = orderFor(WIDE, isForced ? drawn.map(({ unit }) => unit) : units);
        const patches = drawn.map(({ unit: { span }, text }) => ({ span, text }));
        const after = readQuery(patchText(WIDE.tree.text, patches), 'sqlite', SINGERS);
        if (!after.ok) return;
        // `ORDER BY s.name DESC`: an edit of the key may be one of its column alone, and nothing says which it was.
        const hasTwin = drawn.some(({ unit: { span, anchor } }) =>
          order.units.some((one) => one.anchor !== anchor && isFirstPart(one.span, span)),
        );
        if (hasTwin) return;
        const isAllowed = drawn.every(({ unit }) =>
          order.units.some(({ anchor }) => isInside(unit, UNITS.find((one) => one.anchor === anchor)!)),
        );
        const outside = findEditOutside(WIDE, after.query, order);
        if (outside === undefined) taken += 1;
        expect(outside === undefined, `${after.query.tree.text} ${outside}`).toBe(isAllowed);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

function isFirstPart(one: Unit['span'], whole: Unit['span']): boolean {
  return one.start === whole.start && one.end <= whole.end;
}
