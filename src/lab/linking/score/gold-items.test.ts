import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { buildCatalog } from '../sets/build-catalog.ts';
import { goldItems } from './gold-items.ts';

const TABLES = {
  schools: 'cdscode school county "open date"',
  satscores: 'cds sname avgscrread numtsttakr',
  frpm: 'cdscode county enrollment meals',
  users: 'id displayname age',
  posts: 'id owneruserid lasteditoruserid title score tags',
  comments: 'id postid userid score',
  events: 'event_date event_params user',
};

const columnsOf = (text: string) =>
  [...text.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => ({
    name: quoted ?? plain ?? '',
    type: '',
  }));

const describedAs = (place?: { catalog: string; schema: string }) => ({
  tables: Object.entries(TABLES).map(([name, columns]) => ({
    name,
    ...(place && { place }),
    columns: columnsOf(columns),
    primaryKey: [],
  })),
  keys: [],
});

const CATALOGS = {
  sqlite: buildCatalog('shop', 'sqlite', describedAs()),
  snowflake: buildCatalog('shop', 'snowflake', describedAs({ catalog: 'DB', schema: 'S' })),
};

/** Read by hand; columns of Snowflake are written without `db.s.` here. */
const HAND_CHECKED: readonly (readonly [
  dialect: DialectName & keyof typeof CATALOGS,
  sql: string,
  gold: string,
])[] = [
  ['sqlite', 'SELECT school FROM schools', 'schools.school'],
  ['sqlite', 'SELECT COUNT(*) FROM users', ''],
  ['sqlite', 'SELECT COUNT(id) FROM users WHERE age > 65', 'users.age users.id'],
  [
    'sqlite',
    "SELECT T1.school FROM schools AS T1 WHERE T1.`open date` > '2000-01-01'",
    'schools.open date schools.school',
  ],
  [
    'sqlite',
    'SELECT a.sname FROM satscores a JOIN schools b ON a.cds = b.cdscode',
    'satscores.cds satscores.sname schools.cdscode',
  ],
  [
    'sqlite',
    'SELECT school FROM schools JOIN frpm USING (cdscode)',
    'frpm.cdscode schools.cdscode schools.school',
  ],
  [
    'sqlite',
    'SELECT enrollment FROM schools NATURAL JOIN frpm',
    'frpm.cdscode frpm.county frpm.enrollment schools.cdscode schools.county',
  ],
  [
    'sqlite',
    'SELECT a.title FROM posts a JOIN posts b ON a.id = b.lasteditoruserid',
    'posts.id posts.lasteditoruserid posts.title',
  ],
  ['sqlite', 'SELECT displayname FROM users ORDER BY age DESC LIMIT 1', 'users.age users.displayname'],
  [
    'sqlite',
    'SELECT county, AVG(enrollment) FROM frpm GROUP BY county HAVING SUM(meals) > 10',
    'frpm.county frpm.enrollment frpm.meals',
  ],
  [
    'sqlite',
    'SELECT title FROM posts WHERE owneruserid IN (SELECT id FROM users WHERE age > 65)',
    'posts.owneruserid posts.title users.age users.id',
  ],
  [
    'sqlite',
    'SELECT displayname FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.owneruserid = u.id)',
    'posts.owneruserid users.displayname users.id',
  ],
  [
    'sqlite',
    'SELECT displayname FROM users u WHERE age > (SELECT AVG(age) FROM users)',
    'users.age users.displayname',
  ],
  [
    'sqlite',
    'SELECT (SELECT COUNT(*) FROM comments c WHERE c.postid = p.id) FROM posts p',
    'comments.postid posts.id',
  ],
  ['sqlite', 'SELECT id FROM users UNION SELECT owneruserid FROM posts', 'posts.owneruserid users.id'],
  [
    'sqlite',
    'SELECT id FROM users EXCEPT SELECT userid FROM comments WHERE score > 3',
    'comments.score comments.userid users.id',
  ],
  ['sqlite', 'WITH big AS (SELECT * FROM frpm) SELECT meals FROM big', 'frpm.meals'],
  [
    'sqlite',
    'WITH o AS (SELECT id AS who, age FROM users WHERE age > 9) SELECT who FROM o',
    'users.age users.id',
  ],
  [
    'sqlite',
    'SELECT d.n FROM (SELECT owneruserid o, COUNT(id) n FROM posts GROUP BY owneruserid) d',
    'posts.id posts.owneruserid',
  ],
  ['sqlite', 'SELECT * FROM users', 'users.age users.displayname users.id'],
  [
    'sqlite',
    'SELECT T2.* FROM posts T1 JOIN users T2 ON T1.owneruserid = T2.id',
    'posts.owneruserid users.age users.displayname users.id',
  ],
  [
    'sqlite',
    "SELECT SUM(CASE WHEN age > 65 THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM users WHERE displayname LIKE 'A%'",
    'users.age users.displayname',
  ],
  ['sqlite', 'SELECT COUNT(*) FROM users WHERE displayname = "Ada"', 'users.displayname'],
  [
    'sqlite',
    'SELECT score, RANK() OVER (PARTITION BY owneruserid ORDER BY title) FROM posts',
    'posts.owneruserid posts.score posts.title',
  ],
  ['sqlite', "SELECT STRFTIME('%Y', `open date`) y, COUNT(*) FROM schools GROUP BY y", 'schools.open date'],
  [
    'sqlite',
    'SELECT t.title FROM posts t, users u WHERE t.owneruserid = u.id AND t.score > u.age',
    'posts.owneruserid posts.score posts.title users.age users.id',
  ],
  ['snowflake', 'SELECT e."USER" FROM DB.S.EVENTS e', 'events.user'],
  [
    'snowflake',
    'SELECT f.value:key::STRING FROM db.s.events, LATERAL FLATTEN(input => event_params) f',
    'events.event_params',
  ],
  [
    'snowflake',
    'SELECT user:id FROM s.events QUALIFY ROW_NUMBER() OVER (ORDER BY event_date) = 1',
    'events.event_date events.user',
  ],
  [
    'snowflake',
    'WITH e AS (SELECT event_date d FROM events UNION ALL SELECT NULL) SELECT MIN(d) FROM e',
    'events.event_date',
  ],
  [
    'snowflake',
    'SELECT displayname FROM users LEFT JOIN posts ON id = owneruserid WHERE title IS NULL',
    'posts.id posts.owneruserid posts.title users.displayname users.id',
  ],
];

describe('gold items of a query', () => {
  it('are of thirty and one queries read by hand', () => expect(HAND_CHECKED.length).toBe(31));

  it.each(HAND_CHECKED)('%s: %s', (dialect, sql, expected) => {
    const found = goldItems(sql, CATALOGS[dialect]);
    if (!found.ok) throw new Error(found.because);
    const bare = [...found.fields].map((id) => id.replace(/^db\.s\./, '')).sort();
    expect(bare.join(' ')).toBe(expected);
    const owners = new Set([...found.fields].map((id) => id.slice(0, id.lastIndexOf('.'))));
    expect([...owners].filter((id) => !found.tables.has(id))).toEqual([]);
  });

  it('say which names may be several columns', () => {
    const found = goldItems('SELECT score FROM posts, comments', CATALOGS.sqlite);
    expect(found).toMatchObject({ ok: true, ambiguous: ['score'] });
    expect(found.ok && [...found.fields].sort()).toEqual(['comments.score', 'posts.score']);
  });

  it.each([
    ['SELECT 1', 'its SQL reads no table'],
    ['SELECT FROM WHERE', 'its SQL does not parse'],
    ['SELECT a FROM gone', 'it reads a table that the schema lacks: gone'],
    ['SELECT paw FROM users', 'it names a column that the schema lacks: paw'],
  ])('are none of %s', (sql, because) => {
    const found = goldItems(sql, CATALOGS.sqlite);
    expect(found.ok ? '' : found.because).toContain(because);
  });
});
