import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { type ReadQuery, readQuery } from '../../faults/reading/index.ts';
import { unitsOf } from './highlight-units.ts';
import type { UnitRisk } from './node-risk.ts';
import { riskBand, unitRisks } from './unit-risks.ts';

const CATALOG = smallCatalog({ t: ['a', 'b', 'c', 'id'], u: ['id', 'c'] });

function read(sql: string): ReadQuery {
  const query = readQuery(sql, 'sqlite', CATALOG);
  if (!query.ok) throw new Error(sql);
  return query.query;
}

/** Probabilities by `Type text`, 0 for all other nodes. */
function probabilities(
  { tree }: ReadQuery,
  given: Readonly<Record<string, number | undefined>>,
): readonly number[] {
  return tree.nodes.map(({ type, start, end }) => given[`${type} ${tree.text.slice(start, end)}`] ?? 0);
}

const SQL = 'SELECT a FROM t WHERE b = 1';

describe('units that are shown', () => {
  it.each([
    { when: 'nothing is suspicious', given: { 'Column a': 0.29 }, shown: [] },
    {
      when: 'a name is likelier wrong than its column',
      given: { 'Column a': 0.3, 'Identifier a': 0.4 },
      shown: ['a .4'],
    },
    {
      when: 'a literal makes its condition suspicious',
      given: { 'EQ b = 1': 0.5, 'Literal 1': 0.4 },
      shown: ['1 .4'],
    },
    {
      when: 'a condition is suspicious and nothing inside is',
      given: { 'EQ b = 1': 0.5, 'Literal 1': 0.2 },
      shown: ['b = 1 .5'],
    },
    {
      when: 'a condition is likely wrong around a suspicious literal',
      given: { 'EQ b = 1': 0.7, 'Literal 1': 0.4 },
      shown: ['b = 1 .7', '1 .4'],
    },
    {
      when: 'both are likely wrong',
      given: { 'EQ b = 1': 0.9, 'Literal 1': 0.6 },
      shown: ['1 .6'],
    },
    {
      when: 'a clause is suspicious because of a column two levels down',
      given: { 'Where WHERE b = 1': 0.5, 'Column b': 0.5 },
      shown: ['b .5'],
    },
    {
      when: 'a clause is suspicious and nothing inside is, as the part that answers for it',
      given: { 'Where WHERE b = 1': 0.5, 'EQ b = 1': 0.1 },
      shown: ['b = 1 .5'],
    },
    {
      when: 'the whole is suspicious, as the likeliest wrong part right inside it',
      given: { 'Select SELECT a FROM t WHERE b = 1': 0.6, 'Column a': 0.1, 'Literal 1': 0.2 },
      shown: ['a .6'],
    },
    {
      when: 'several are, the likeliest comes first',
      given: { 'Column a': 0.4, 'Literal 1': 0.8, 'Table t': 0.5 },
      shown: ['1 .8', 't .5', 'a .4'],
    },
  ])('when $when', ({ given, shown }) => {
    const query = read(SQL);
    const risks = unitRisks(unitsOf(query), probabilities(query, given));
    expect(risks.map(({ text, probability }) => `${text} ${String(probability).slice(1)}`)).toEqual(shown);
  });

  it('follow another threshold', () => {
    const query = read(SQL);
    const given = probabilities(query, { 'Column a': 0.1, 'Literal 1': 0.7 });
    const texts = (threshold: number) =>
      unitRisks(unitsOf(query), given, { threshold }).map(({ text }) => text);
    expect(texts(0.1)).toEqual(['1', 'a']);
    expect(texts(0.75)).toEqual([]);
  });

  it('carry the reasons of their likeliest wrong node, and only those are asked for', () => {
    const query = read(SQL);
    const asked: number[] = [];
    const reasonsOf = (node: number) => {
      asked.push(node);
      return [{ feature: 'f', text: query.tree.nodes[node]?.type ?? '', weight: 1 }];
    };
    const given = probabilities(query, { 'Column a': 0.3, 'Identifier a': 0.4, 'EQ b = 1': 0.1 });
    const [unit] = unitRisks(unitsOf(query), given, { reasonsOf });
    expect(unit?.reasons.map(({ text }) => text)).toEqual(['Identifier']);
    expect(asked).toHaveLength(1);
  });

  it('takes a missing probability for none', () => {
    const units = unitsOf(read(SQL));
    expect(unitRisks(units, [])).toEqual([]);
    expect(unitRisks(units, new Array(20).fill(Number.NaN))).toEqual([]);
  });
});

const WIDE = read(
  `SELECT t.a, COUNT(*) FROM t JOIN u ON t.id = u.id WHERE (b = 1 OR c BETWEEN 2 AND 3)
   AND EXISTS (SELECT 1 FROM u AS w WHERE w.c = t.c) GROUP BY t.a HAVING COUNT(*) > 2 ORDER BY t.a DESC LIMIT 3`,
);

describe('marks', () => {
  const risks = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: WIDE.tree.nodes.length,
    maxLength: WIDE.tree.nodes.length,
  });
  const units = unitsOf(WIDE);

  it('of one band never overlap, lie in the text and are at or above the threshold', () => {
    fc.assert(
      fc.property(risks, fc.double({ min: 0.05, max: 0.9, noNaN: true }), (given, threshold) => {
        const shown = unitRisks(units, given, { threshold });
        for (const { span, text, probability } of shown) {
          expect(WIDE.tree.text.slice(span.start, span.end)).toBe(text);
          expect(probability).toBeGreaterThanOrEqual(threshold);
        }
        expect(overlapping(shown, threshold)).toEqual([]);
      }),
    );
  });

  it('show something as soon as any node reaches the threshold, and the worst leaf always', () => {
    fc.assert(
      fc.property(risks, (given) => {
        const shown = unitRisks(units, given);
        expect(shown.length > 0).toBe(given.some((probability) => probability >= 0.3));
        const leaves = units.filter(({ isLeaf, kind }) => isLeaf && kind !== 'clause');
        const worst = Math.max(...leaves.flatMap(({ nodes }) => nodes.map((node) => given[node] ?? 0)));
        if (worst >= 0.3) expect(shown[0]?.probability).toBeGreaterThanOrEqual(worst);
      }),
    );
  });

  it('are never of a keyword alone', () => {
    const distinct = read('SELECT DISTINCT a FROM t ORDER BY b');
    const every = distinct.tree.nodes.map(({ type }) => (type === 'Distinct' ? 0.9 : 0));
    expect(unitRisks(unitsOf(distinct), every).map(({ text }) => text)).toEqual(['a']);
    fc.assert(
      fc.property(risks, (given) => {
        const kinds = unitRisks(units, given).map(({ kind }) => kind);
        expect(kinds).not.toContain('clause');
      }),
    );
  });
});

function overlapping(shown: readonly UnitRisk[], threshold: number): readonly string[] {
  return shown.flatMap((one, place) =>
    shown
      .slice(place + 1)
      .filter(
        (other) =>
          riskBand(one.probability, threshold) === riskBand(other.probability, threshold) &&
          one.span.start < other.span.end &&
          other.span.start < one.span.end,
      )
      .map((other) => `${one.text} / ${other.text}`),
  );
}
