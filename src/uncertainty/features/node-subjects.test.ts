import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { nodeAt, queryOf } from '../../../test/fixtures/uncertainty/read-features.ts';
import { nodeSubjects } from './node-subjects.ts';

describe('what nodes are about', () => {
  it.each([
    ['SELECT Name FROM artist', 'Column Name', 'artist.name', 'artist'],
    ['SELECT Name FROM artist', 'Identifier Name', 'artist.name', 'artist'],
    ['SELECT Name FROM artist', 'Identifier artist', undefined, 'artist'],
    ['SELECT Name FROM artist', 'Table artist', undefined, 'artist'],
    ['SELECT b.title FROM artist a, album b', 'Identifier b', undefined, 'album'],
    ['SELECT b.title FROM artist AS a, album AS b', 'TableAlias AS b', undefined, 'album'],
    ['SELECT t FROM (SELECT title AS t FROM album) AS x', 'Column t', 'album.title', undefined],
    ['SELECT title AS t FROM album ORDER BY t', 'Column t', 'album.title', undefined],
    ['SELECT n FROM (SELECT price * 2 AS n FROM album) AS x', 'Column n', 'album.price', undefined],
    ['SELECT n FROM (SELECT price + id AS n FROM album) AS x', 'Column n', undefined, undefined],
    ['SELECT nope FROM artist', 'Column nope', undefined, undefined],
    ['SELECT Name FROM nope', 'Table nope', undefined, undefined],
    ['SELECT Name FROM nope', 'Column Name', undefined, undefined],
    ['SELECT `Sold Copies` FROM album', 'Column `Sold Copies`', 'album.sold copies', 'album'],
  ] as const)('%s: %s is about %s of %s', (sql, place, column, table) => {
    const query = queryOf(sql, ALBUMS);
    const { id } = nodeAt(query.tree, place);
    const { columns, tables } = nodeSubjects(query);
    expect([columns[id], tables[id]]).toEqual([column, table]);
  });

  it.each([
    ["SELECT id FROM artist WHERE Name = 'Abba'", "'Abba'", 'artist.name'],
    ["SELECT id FROM artist WHERE 'Abba' = Name", "'Abba'", 'artist.name'],
    ["SELECT id FROM artist WHERE lower(Name) LIKE '%a'", "'%a'", 'artist.name'],
    ["SELECT id FROM artist WHERE Name IN ('Abba', 'Blur')", "'Blur'", 'artist.name'],
    ['SELECT id FROM album WHERE price BETWEEN 1 AND 5', '5', 'album.price'],
    ['SELECT id FROM album WHERE price * 2 > 10', '10', 'album.price'],
    // Beside the column, not on its other side.
    ['SELECT id FROM album WHERE price * 2 > id', '2', 'album.id'],
    ['SELECT id FROM album LIMIT 3', '3', undefined],
    ['SELECT price * 2 FROM album', '2', undefined],
    // A subquery is another matter.
    ['SELECT id FROM album WHERE 5 = (SELECT MAX(price) FROM album)', '5', undefined],
    ['SELECT id FROM album WHERE price = (SELECT 7)', '7', undefined],
    ["SELECT id FROM artist WHERE nope = 'Abba'", "'Abba'", undefined],
  ] as const)('%s: %s is compared with %s', (sql, literal, column) => {
    const query = queryOf(sql, ALBUMS);
    expect(nodeSubjects(query).compared[nodeAt(query.tree, `Literal ${literal}`).id]).toBe(column);
  });

  it('sums up to what the query uses', () => {
    const query = queryOf(
      "SELECT b.title FROM artist a JOIN album b ON a.id = b.artist_id WHERE a.Name = 'Abba' AND nope = 1",
      ALBUMS,
    );
    const { usedColumns, usedTables } = nodeSubjects(query);
    expect([...usedColumns].sort()).toEqual(['album.artist_id', 'album.title', 'artist.id', 'artist.name']);
    expect([...usedTables].sort()).toEqual(['album', 'artist']);
  });
});
