import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { queries } from '../../../test/fixtures/uncertainty/draw-queries.ts';
import { fixtureQueries, nodeAt, queryOf } from '../../../test/fixtures/uncertainty/read-features.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { nodeKeys } from './agreement-features.ts';

const wholeOf = (sql: string): string => nodeKeys(queryOf(sql, ALBUMS)).whole;

describe('keys of queries that say the same', () => {
  it.each([
    ['other aliases', 'SELECT T1.Name FROM artist AS T1', 'SELECT x.name FROM ARTIST x'],
    ['no alias', 'SELECT T1.Name FROM artist AS T1', 'SELECT Name FROM artist'],
    ['an alias of what is shown', 'SELECT COUNT(*) AS n FROM artist', 'SELECT COUNT(*) FROM artist'],
    [
      'another order of AND',
      "SELECT id FROM album WHERE title = 'a' AND price = 1",
      "SELECT id FROM album WHERE price = 1 AND title = 'a'",
    ],
    [
      'a turned comparison',
      'SELECT id FROM album WHERE price > artist_id',
      'SELECT id FROM album WHERE artist_id < price',
    ],
    [
      'the sides of =',
      'SELECT id FROM album WHERE price = artist_id',
      'SELECT id FROM album WHERE artist_id = price',
    ],
    [
      'another order of what is joined to the first table',
      'SELECT a.title FROM album a JOIN artist b ON a.artist_id = b.id JOIN album c ON c.id = b.id',
      'SELECT a.title FROM album a JOIN album c ON c.id = b.id JOIN artist b ON a.artist_id = b.id',
    ],
    [
      'another first table of inner joins',
      'SELECT a.title FROM album a JOIN artist b ON a.artist_id = b.id JOIN album c ON c.id = b.id',
      'SELECT a.title FROM artist b INNER JOIN album c ON c.id = b.id JOIN album a ON b.id = a.artist_id',
    ],
    [
      'another order of three conditions',
      "SELECT id FROM album WHERE title = 'a' AND price = 1 AND id = 2",
      "SELECT id FROM album WHERE id = 2 AND (title = 'a' AND price = 1)",
    ],
    ['brackets', 'SELECT id FROM album WHERE (price = 1)', 'SELECT id FROM album WHERE price = 1'],
    ['a number written otherwise', 'SELECT price * 1.0 FROM album', 'SELECT price * 1 FROM album'],
    ['the case of a function', 'SELECT max(price) FROM album', 'SELECT MAX(price) FROM album'],
  ])('are equal for %s', (_, one, other) => expect(wholeOf(one)).toBe(wholeOf(other)));

  it.each([
    ['a value', "SELECT id FROM artist WHERE Name = 'Abba'", "SELECT id FROM artist WHERE Name = 'Blur'"],
    ['its case', "SELECT id FROM artist WHERE Name = 'Abba'", "SELECT id FROM artist WHERE Name = 'abba'"],
    ['a text for a number', "SELECT id FROM artist WHERE id = '1'", 'SELECT id FROM artist WHERE id = 1'],
    ['the direction', 'SELECT id FROM album ORDER BY price', 'SELECT id FROM album ORDER BY price DESC'],
    ['the sides of <', 'SELECT id FROM album WHERE price < id', 'SELECT id FROM album WHERE id < price'],
    ['the sides of −', 'SELECT price - id FROM album', 'SELECT id - price FROM album'],
    ['the kind of a join', joined('JOIN'), joined('LEFT JOIN')],
    [
      'the first table of an outer join',
      'SELECT a.Name FROM artist a LEFT JOIN album b ON a.id = b.artist_id',
      'SELECT a.Name FROM album b LEFT JOIN artist a ON a.id = b.artist_id',
    ],
    [
      'AND for OR',
      'SELECT id FROM album WHERE price = 1 AND (id = 2 OR id = 3)',
      'SELECT id FROM album WHERE price = 1 OR (id = 2 AND id = 3)',
    ],
    ['the table of a column', 'SELECT b.id FROM artist a, album b', 'SELECT a.id FROM artist a, album b'],
    ['DISTINCT', 'SELECT DISTINCT title FROM album', 'SELECT title FROM album'],
    ['a long value', `SELECT '${'x'.repeat(2_000)}'`, `SELECT '${'x'.repeat(1_999)}y'`],
  ])('differ by %s', (_, one, other) => expect(wholeOf(one)).not.toBe(wholeOf(other)));

  it('are short, however long the query', () => {
    const conditions = Array.from({ length: 100 }, (_, index) => `title = 'a ${'long '.repeat(50)}${index}'`);
    const { keys } = nodeKeys(queryOf(`SELECT id FROM album WHERE ${conditions.join(' AND ')}`, ALBUMS));
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(new Set(keys).size).toBeGreaterThan(300);
  });
});

describe('places of nodes', () => {
  const query = queryOf("SELECT Name FROM artist AS T1 WHERE T1.Name = 'Abba' LIMIT 3", ALBUMS);
  it.each([
    ["Literal 'Abba'", 'Literal artist.name'],
    ['Literal 3', 'Literal Limit'],
    ['Column T1.Name', 'Column EQ'],
    ['Column Name', 'Column Select expressions'],
    ['Identifier T1', 'Identifier Table this'],
    ['Table artist AS T1', 'Table From this'],
  ])('%s has %s', (place, expected) =>
    expect(nodeKeys(query).placeOf[nodeAt(query.tree, place).id]).toBe(expected),
  );

  it.each([
    ['a sort key', 'SELECT title FROM album ORDER BY price', 'Column price', 'order'],
    ['a group', 'SELECT COUNT(*) FROM album GROUP BY title', 'Column title', 'group'],
    ['a listed value', 'SELECT title FROM album WHERE price IN (1, 2)', 'Literal 2', 'where'],
    ['an argument', 'SELECT COALESCE(price, 1) FROM album', 'Literal 1', 'expressions'],
    ['a key', 'SELECT title FROM album a JOIN artist b ON a.id = 7', 'Literal 7', 'on'],
    [
      'the inner list',
      'SELECT id FROM album WHERE id IN (SELECT artist_id FROM album)',
      'Column artist_id',
      'expressions',
    ],
  ])('say of %s which clause it stands in', (_, sql, node, clause) => {
    const read = queryOf(sql, ALBUMS);
    expect(nodeKeys(read).placed[nodeAt(read.tree, node).id]?.split(' ')[0]).toBe(clause);
  });

  it('hold the key of what stands there', () => {
    const { keys, slots, placed, placeOf } = nodeKeys(query);
    for (const { id } of query.tree.nodes) {
      expect(slots[id]).toBe(`${placeOf[id]} ${keys[id]}`);
      expect(placed[id]?.endsWith(` ${keys[id]}`)).toBe(true);
    }
  });
});

describe('laws of keys', () => {
  it('hold for drawn queries: every node has a key, a place and a slot, and the sets hold them', () => {
    fc.assert(
      fc.property(queries, (sql) => {
        const read = readQuery(sql, 'sqlite', ALBUMS);
        fc.pre(read.ok);
        const { keys, placed, slots, placeOf, ...sets } = nodeKeys(read.query);
        for (const list of [keys, placed, slots, placeOf])
          expect(list).toHaveLength(read.query.tree.nodes.length);
        expect(sets.all).toEqual(new Set(keys));
        expect(sets.allPlaced).toEqual(new Set(placed));
        expect(sets.allSlots).toEqual(new Set(slots));
        expect(sets.places).toEqual(new Set(placeOf));
        for (const key of sets.leaves.keys()) expect(sets.all.has(key)).toBe(true);
      }),
    );
  });

  it('are read for every query of the fixtures, the same twice', () => {
    for (const [sql, dialect] of fixtureQueries()) {
      const [one, other] = [readQuery(sql, dialect, ALBUMS), readQuery(sql, dialect, ALBUMS)];
      if (one.ok && other.ok) expect(nodeKeys(one.query), sql).toEqual(nodeKeys(other.query));
    }
  });
});

function joined(kind: string): string {
  return `SELECT a.Name FROM artist a ${kind} album b ON a.id = b.artist_id`;
}
