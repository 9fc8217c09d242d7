import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../catalog/index.ts';
import { shareCatalog } from '../../catalog/share/index.ts';
import { TokenLedger } from '../../model/index.ts';
import { parse } from '../../sql/index.ts';
import type { LinkQuestion, SchemaView } from '../roles/link-reasoner.ts';
import { EXPANSION_NAMES, type ExpansionName, expandUse } from './expansions.ts';
import { indexKeys } from './key-index.ts';
import { differences, readHypothesis, readUse } from './read-hypothesis.ts';
import { type ReplaySettings, replayReasoner } from './replay-reasoner.ts';

/** Each table: its columns, the first of them its primary key; `a>t` is a link to the key of the table t. */
const TABLES: Readonly<Record<string, string>> = {
  users: 'id displayname age created_date',
  posts: 'id owner>users editor>users title score',
  history: 'id post>posts user>users comment',
  votes: 'id post>posts score',
  results: 'id race>races driver>drivers points',
  standings: 'id race>races driver>drivers points',
  races: 'id race_name year',
  drivers: 'id driver_name',
};

const CATALOG: Catalog = {
  database: 'forum',
  dialect: 'sqlite',
  fingerprint: 'f',
  tables: Object.entries(TABLES).map(([id, columns]) => ({
    id,
    name: id,
    kind: 'table',
    rowCount: 0,
    primaryKey: [`${id}.id`],
    columns: columns.split(' ').map((text) => {
      const [name = ''] = text.split('>');
      const family = name.endsWith('date') ? ('time' as const) : ('text' as const);
      return { id: `${id}.${name}`, tableId: id, name, type: 'TEXT', family, isNullable: true };
    }),
  })),
  foreignKeys: Object.entries(TABLES).flatMap(([fromTable, columns]) =>
    [...columns.matchAll(/(\S+)>(\S+)/g)].map(([, from, toTable = '']) => ({
      fromTable,
      fromColumns: [`${fromTable}.${from}`],
      toTable,
      toColumns: [`${toTable}.id`],
      source: 'declared' as const,
    })),
  ),
};

function treeOf(sql: string) {
  const parsed = parse(sql, 'sqlite');
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.tree;
}

const sorted = (ids: Iterable<string>): string => [...ids].sort().join(' ');

describe('what a query is about', () => {
  it.each([
    ['SELECT displayname FROM users WHERE age > 3', 'users'],
    ['SELECT u.age FROM users u JOIN posts p ON p.owner = u.id', 'users'],
    ['SELECT COUNT(p.title) FROM users u JOIN posts p ON p.owner = u.id', 'posts'],
    ['SELECT COUNT(*) FROM users u JOIN posts p ON p.owner = u.id', 'posts users'],
    ['SELECT 1 FROM users WHERE id IN (SELECT COUNT(score) FROM posts)', 'posts'],
  ])('%s: %s', (sql, subjects) => expect(sorted(readUse(treeOf(sql), CATALOG).subjects)).toBe(subjects));

  it('leaves out what the catalog lacks', () => {
    const { tables, fields } = readUse(treeOf('SELECT u.age, u.paw, g.x FROM users u, ghosts g'), CATALOG);
    expect([sorted(tables), sorted(fields)]).toEqual(['users', 'users.age']);
  });
});

describe('an expansion', () => {
  it.each<[name: ExpansionName, why: string, sql: string, text: string, added: string]>([
    ['own-keys', 'rows counted by a star', 'SELECT COUNT(*) FROM users', '', 'users.id'],
    ['own-keys', 'a name instead of the key', 'SELECT displayname FROM users', '', 'users.id'],
    [
      'own-keys',
      'only of what is shown',
      'SELECT age FROM users WHERE 1 IN (SELECT score FROM posts)',
      '',
      'users.id',
    ],
    ['parents', 'the table a key refers to', 'SELECT title FROM posts WHERE owner = 3', '', 'users.id'],
    ['parents', 'nothing without a key', 'SELECT title FROM posts', '', ''],
    [
      'joins',
      'the other link between two tables',
      'SELECT title FROM posts JOIN users ON owner = users.id',
      '',
      'posts.editor',
    ],
    [
      'named',
      'a column that the hint calls by name',
      'SELECT title FROM posts',
      'top post: MAX(Score)',
      'posts.score',
    ],
    ['named', 'two words in their order', 'SELECT age FROM users', 'the created date', 'users.created_date'],
    ['named', 'no part of another word', 'SELECT title FROM posts', 'scores underscored', ''],
    [
      'bridges',
      'another way between two tables',
      'SELECT title, age FROM posts JOIN users ON owner = users.id',
      '',
      'history.post history.user posts.id',
    ],
    [
      'twins',
      'the same fact of the same things',
      'SELECT points FROM results',
      '',
      'standings.driver standings.points standings.race',
    ],
    [
      'twins',
      'not where nothing is shared',
      'SELECT score FROM votes WHERE 1 IN (SELECT age FROM users)',
      '',
      '',
    ],
    ['display', 'the name of what is counted', 'SELECT COUNT(id) FROM drivers', '', 'drivers.driver_name'],
  ])('%s adds %s', (name, _why, sql, text, added) => {
    const use = readUse(treeOf(sql), CATALOG);
    const { fields, tables, because } = expandUse(use, [name], { index: indexKeys(CATALOG), text });
    const more = [...fields].filter((id) => !use.fields.has(id));
    expect(sorted(more)).toBe(added);
    expect(more.every((id) => because.get(id) === name && tables.has(id.split('.')[0] ?? ''))).toBe(true);
  });

  it('builds on the ones before it, whatever the order they are named in', () => {
    const use = readUse(treeOf('SELECT title FROM posts WHERE owner = 3'), CATALOG);
    const asked = { index: indexKeys(CATALOG), text: 'age' };
    expect(expandUse(use, ['parents'], asked).fields).not.toContain('users.age');
    expect(expandUse(use, ['named', 'parents'], asked).fields).toContain('users.age');
    expect(expandUse(use, [], asked).fields).toEqual(use.fields);
    for (const name of EXPANSION_NAMES) {
      const { fields } = expandUse(use, [name], asked);
      expect([...use.fields].every((id) => fields.has(id))).toBe(true);
    }
  });
});

describe('a query as a hypothesis', () => {
  const read = (sql: string) => {
    const tree = treeOf(sql);
    return readHypothesis('h1', tree, CATALOG, readUse(tree, CATALOG));
  };

  it('says what it joins, filters, aggregates and how it reads time', () => {
    const hypothesis = read(
      `SELECT COUNT(*), MAX(p.score) FROM posts p JOIN users u ON p.owner = u.id
       WHERE u.displayname = 'Ada' AND strftime('%Y', u.created_date) = '2011' AND p.score > 3`,
    );
    expect(sorted(hypothesis.entities)).toBe('posts users');
    expect(hypothesis.joins).toEqual([{ left: 'posts.owner', right: 'users.id' }]);
    expect(hypothesis.filters).toEqual([
      { field: 'users.displayname', condition: "u.displayname = 'Ada'" },
      { field: 'users.created_date', condition: "strftime('%Y', u.created_date) = '2011'" },
      { field: 'posts.score', condition: 'p.score > 3' },
    ]);
    expect(hypothesis.aggregations).toEqual([
      { function: 'count', field: '*' },
      { function: 'max', field: 'posts.score' },
    ]);
    expect(hypothesis.time).toBe("strftime('%Y', u.created_date) = '2011'");
    expect(hypothesis.summary).toMatch(/^SELECT COUNT\(\*\), MAX\(p.score\) FROM posts p .*/);
    expect(read(`SELECT age FROM users WHERE displayname = '${'x'.repeat(400)}'`).summary).toHaveLength(240);
  });

  it.each([
    ['SELECT age FROM users WHERE id = 1', 'select AGE from users where id=2', ''],
    ['SELECT COUNT(*) FROM users', 'SELECT COUNT(id) FROM users', 'aggregation_grain'],
    [
      'SELECT title FROM posts p, users u WHERE p.owner = u.id',
      'SELECT title FROM posts p, users u WHERE p.editor = u.id',
      'join_route',
    ],
    ['SELECT id FROM posts WHERE owner = 1', 'SELECT id FROM posts WHERE editor = 1', 'filter_encoding'],
    [
      "SELECT id FROM users WHERE created_date > '2011'",
      "SELECT id FROM users WHERE created_date > '2010'",
      'temporal_interpretation',
    ],
  ])('%s differs from %s by %s', (one, other, axes) => {
    expect(differences(read(one), read(other)).join()).toBe(axes);
  });
});

describe('a reasoner of queries', () => {
  const VIEW: SchemaView = {
    level: 'L0',
    tables: shareCatalog(CATALOG, 'all').tables.map((table) => ({
      table,
      columns: table.columns,
      notes: new Map(),
    })),
  };
  const question: LinkQuestion = { text: 'q', hint: 'MAX(score)', knowledge: [], ledger: new TokenLedger() };
  const only = (...names: string[]): SchemaView => ({
    level: 'L1',
    tables: VIEW.tables.filter(({ table }) => names.includes(table.id)),
  });

  async function path(sql: string, settings: ReplaySettings = {}, view: SchemaView = VIEW) {
    const reasoner = replayReasoner([sql], CATALOG, settings);
    const [hypothesis] = await reasoner.hypothesise(question, VIEW, 4);
    if (hypothesis === undefined) throw new Error('no hypothesis');
    const tables = await reasoner.selectTables(question, hypothesis, view);
    const fields = await reasoner.selectFields(question, hypothesis, view);
    return { tables, fields, ids: fields.map(({ table, column }) => `${table}.${column}`) };
  }

  it('has one hypothesis a query, equal ones twice unless it merges them', async () => {
    const sqls = ['SELECT age FROM users', 'SELECT age FROM users', 'SELECT title FROM posts'];
    const all = await replayReasoner(sqls, CATALOG).hypothesise(question, VIEW, 4);
    expect(all.map(({ id, differsBy }) => `${id} ${differsBy}`)).toEqual(['h1 ', 'h2 ', 'h3 join_route']);
    expect(await replayReasoner(sqls, CATALOG).hypothesise(question, VIEW, 2)).toHaveLength(2);
    const merged = replayReasoner(sqls, CATALOG, { mergesEqual: true });
    expect(await merged.hypothesise(question, VIEW, 4)).toHaveLength(2);
  });

  it('chooses what the query uses and what the expansions add, in view only, with reasons', async () => {
    const { tables, fields } = await path('SELECT title FROM posts WHERE owner = 3');
    expect(tables.map(({ name }) => name)).toEqual(['users', 'posts', 'history']);
    expect(
      fields
        .filter(({ table }) => table !== 'history')
        .map(({ why, ...each }) => `${each.table}.${each.column}: ${why}`),
    ).toEqual([
      'users.id: expansion: parents',
      'posts.id: expansion: own-keys',
      'posts.owner: in the query',
      'posts.editor: expansion: joins',
      'posts.title: in the query',
      'posts.score: expansion: named',
    ]);
    const { ids } = await path('SELECT title FROM posts WHERE owner = 3', {}, only('users'));
    expect(ids).toEqual(['users.id']);
  });

  it('adds columns of a ranker from a score on', async () => {
    const settings: ReplaySettings = {
      expansions: [],
      extra: async ({ id }) => [
        { id: `users.${id === 'h1' ? 'age' : 'id'}`, score: 0.61 },
        { id: 'votes.score', score: 0.59 },
        { id: 'gone.away', score: 1 },
      ],
      extraAtLeast: 0.6,
    };
    const { fields, ids } = await path('SELECT title FROM posts', settings);
    expect(ids).toEqual(['users.age', 'posts.title']);
    expect(fields[0]?.why).toBe('ranker: 0.61');
  });

  it('fails the path of a query that does not parse, and that path only', async () => {
    const reasoner = replayReasoner(['SELECT FROM', 'SELECT age FROM users'], CATALOG);
    const [broken, whole] = await reasoner.hypothesise(question, VIEW, 4);
    expect(broken).toMatchObject({ entities: [], summary: 'a query that does not parse' });
    await expect(reasoner.selectTables(question, broken!, VIEW)).rejects.toMatchObject({
      code: 'sql.parse-failed',
    });
    expect(await reasoner.selectTables(question, whole!, VIEW)).toEqual([
      { name: 'users', why: 'in the query' },
    ]);
  });

  it('keeps everything uncertain unless something refines', async () => {
    const view = { turn: 1, turnsLeft: 7, hypotheses: [], required: [], uncertain: [], turns: [] };
    expect(await replayReasoner([], CATALOG).refine(question, view)).toEqual([]);
    const call = { id: '1', tool: 'discard', arguments: { items: ['users.age'], reason: 'not asked for' } };
    const refine = async () => [call];
    expect(await replayReasoner([], CATALOG, { refine }).refine(question, view)).toEqual([call]);
  });
});
