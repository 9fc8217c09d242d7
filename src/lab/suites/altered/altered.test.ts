/** Each kind of alteration over rows of data. */
import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../catalog/index.ts';
import { parse } from '../../../sql/index.ts';
import { makeDice } from '../../synthesis/items/seeded-random.ts';
import type { Alteration, AlterationKind, AlteredSite } from './edits/alteration.ts';
import { knownWords } from './edits/known-words.ts';
import { DEFAULT_WORDS } from './edits/word-list.ts';
import { makeAlterations } from './make-alterations.ts';

function siteOf({ question, gold, sql = gold }: Row, more: Partial<AlteredSite> = {}): AlteredSite {
  const [own, right] = [parse(sql, 'sqlite'), parse(gold, 'sqlite')];
  if (!own.ok || !right.ok) throw new Error(`a query of the row does not parse: ${question}`);
  return {
    ...{ question, sql: own.tree, gold: right.tree, read: [], catalog: CATALOG },
    tableNames: new Map([['customer', ['customer']]]),
    known: knownWords(['customer name country age', 'Germany', 'Brazil', 'Italy']),
    words: DEFAULT_WORDS,
    storedValues: async () => ['Brazil', 'Germany', 'Italy'],
    dice: (name) => makeDice(1, name),
    ...more,
  };
}

interface Row {
  readonly question: string;
  readonly gold: string;
  readonly sql?: string;
}

const CATALOG: Catalog = {
  ...{ database: 'shop', dialect: 'sqlite', foreignKeys: [], fingerprint: '' },
  tables: [
    {
      ...{ id: 'customer', name: 'customer', kind: 'table', primaryKey: ['customer.id'], rowCount: 6 },
      columns: ['name', 'country', 'age'].map((name) => ({
        ...{ id: `customer.${name}`, tableId: 'customer', name, isNullable: true },
        ...{ type: name === 'age' ? 'INTEGER' : 'TEXT', family: name === 'age' ? 'number' : 'text' },
      })),
    },
  ],
};

async function madeOf(row: Row, kind: AlterationKind, more: Partial<AlteredSite> = {}) {
  const { alterations, notMade } = await makeAlterations(siteOf(row, more), async () => true);
  return {
    made: alterations.filter((each) => each.kind === kind),
    notMade: notMade.filter((each) => each.kind === kind).map(({ because }) => because),
  };
}

const only = (word: string) => ({
  ...DEFAULT_WORDS,
  ...Object.fromEntries(CLASSES.map((name) => [name, [word]])),
});
const CLASSES = ['noun', 'adjective', 'place', 'person', 'organisation'];

describe('an inserted restriction', () => {
  it.each([
    ['before', 'How many customers are there?', /^How many Zorg customers are there\?$/],
    ['before', 'Customers by country', /^Zorg customers by country$/],
    ['after', 'How many customers are there?', /^How many customers (?:\w+ )+Zorg are there\?$/],
    ['after', 'List all customers', /^List all customers (?:\w+ )+Zorg$/],
    ['end', 'How many customers are there?', /^How many customers are there,? .*Zorg.*\?$/],
    [
      'beginning',
      'How many customers are there?',
      /^\w[\w ]*Zorg(?: ones)?, how many customers are there\?$/,
    ],
  ])('%s: %s', async (position, question, expected) => {
    const row = { question, gold: 'SELECT count(*) FROM customer' };
    const { made } = await madeOf(row, 'insert', { words: only('Zorg') });
    const [one] = made.filter(({ how }) => how.startsWith(position));
    expect(one?.question).toMatch(expected);
    expect(one?.due).toEqual({ kind: 'asked', word: 'Zorg' });
  });

  it.each([
    ['a noun that is a part of a longer name', 'What are the customer names?', 'SELECT name FROM customer'],
    ['a noun that stands twice', 'Of all customers, which customers are old?', 'SELECT name FROM customer'],
    ['no noun of a table', 'How many people are there?', 'SELECT count(*) FROM customer'],
  ])('has no certain place beside %s', async (_, question, gold) => {
    const { made } = await madeOf({ question, gold }, 'insert');
    expect(made.map(({ how }) => how.split(',')[0])).not.toContain('after');
  });

  it('has the article of its word', async () => {
    const row = { question: 'How many customers are there?', gold: 'SELECT count(*) FROM customer' };
    const words = {
      ...only('umbrella'),
      adjective: ['name'],
      place: ['name'],
      person: ['name'],
      organisation: ['name'],
    };
    const { made } = await madeOf(row, 'insert', { words });
    const questions = made.map(({ question }) => question);
    expect(questions.some((question) => /\ban umbrella/.test(question))).toBe(true);
    expect(questions.some((question) => /\ba umbrella/.test(question))).toBe(false);
  });

  it('is of no word that the database knows, nor of one with its stem', async () => {
    const row = { question: 'How many customers are there?', gold: 'SELECT count(*) FROM customer' };
    const { made, notMade } = await madeOf(row, 'insert', {
      words: only('refunded'),
      known: knownWords(['Refunds']),
    });
    expect(made).toEqual([]);
    expect(notMade).toContain('the database knows every word of the list');
  });
});

describe('a changed number', () => {
  it.each([
    [
      'customers older than 30',
      'SELECT name FROM customer WHERE age > 30',
      'number',
      /^customers older than \d+$/,
    ],
    [
      'the three oldest customers',
      'SELECT name FROM customer ORDER BY age DESC LIMIT 3',
      'top-n',
      /^the \w+ oldest customers$/,
    ],
    [
      'customers since 2024',
      "SELECT 1 FROM o WHERE d >= '2024-01-01' AND d < '2025-01-01'",
      'number',
      /^customers since 2023$/,
    ],
  ] as const)('%s', async (question, gold, kind, expected) => {
    const { made } = await madeOf({ question, gold }, kind);
    const [one, ...more] = made;
    expect(more).toEqual([]);
    expect(one?.question).toMatch(expected);
    expect(one?.question).not.toBe(question);
    expect(goldOf(one)).not.toBe(gold);
    // The new number stands in the gold as it stands in the question.
    const literal = one?.due.kind === 'changed' ? one.due.literal : undefined;
    expect(goldOf(one)).toContain(literal);
  });

  it.each([
    ['stands twice in the gold', 'older than 30', 'SELECT 1 FROM customer WHERE age > 30 OR id > 30'],
    ['is a one', 'line 1 of the oldest', 'SELECT line_1 FROM customer ORDER BY age DESC LIMIT 1'],
    ['stands in no query', 'older than 30', 'SELECT 1 FROM customer'],
    ['stands twice in the question', 'older than 30, 30 rows', 'SELECT 1 FROM customer WHERE age > 30'],
  ])('is not made where it %s', async (_, question, gold) => {
    const made = [
      ...(await madeOf({ question, gold }, 'number')).made,
      ...(await madeOf({ question, gold }, 'top-n')).made,
    ];
    expect(made).toEqual([]);
  });

  it('takes the first variant whose rows can tell', async () => {
    const row = { question: 'older than 30', gold: 'SELECT name FROM customer WHERE age > 30' };
    const tried: string[] = [];
    const { alterations } = await makeAlterations(siteOf(row), async (gold) => tried.push(gold) === 3);
    expect(goldOf(alterations.find(({ kind }) => kind === 'number'))).toBe(tried[2]);
  });
});

function goldOf(alteration: Alteration | undefined): string | undefined {
  return alteration?.due.kind === 'changed' ? alteration.due.gold : undefined;
}

describe('a changed value', () => {
  it.each([
    ["SELECT count(*) FROM customer WHERE country = 'Germany'"],
    ['SELECT count(*) FROM customer WHERE country = "Germany"'],
  ])('is another of the column, and one that is stored nowhere: %s', async (gold) => {
    const row = { question: 'How many customers are in Germany?', gold };
    const [stored] = (await madeOf(row, 'value')).made;
    expect(stored?.question).toMatch(/^How many customers are in (?:Brazil|Italy)\?$/);
    expect(goldOf(stored)).toMatch(/country = '(?:Brazil|Italy)'$/);
    const [unstored] = (await madeOf(row, 'unstored-value', { words: only('Zorg') })).made;
    expect(unstored).toMatchObject({
      question: 'How many customers are in Zorg?',
      due: { kind: 'asked-or-written', word: 'Zorg' },
    });
  });

  it('is not made where the question has another word for it', async () => {
    const row = { question: 'German customers', gold: "SELECT 1 FROM customer WHERE country = 'Germany'" };
    expect(await madeOf(row, 'value')).toMatchObject({
      made: [],
      notMade: ['the value does not stand once in question, gold and query'],
    });
  });
});

const BY_AGE = 'SELECT name FROM customer ORDER BY age';

describe('a turned direction', () => {
  it.each([
    [
      'customers older than 30',
      'SELECT name FROM customer WHERE age > 30',
      'customers younger than 30',
      'age < 30',
    ],
    [
      'with at least 2 orders',
      'SELECT a FROM o GROUP BY a HAVING count(*) >= 2',
      'with at most 2 orders',
      'count(*) <= 2',
    ],
    ['The oldest customer', `${BY_AGE} DESC LIMIT 1`, 'The youngest customer', 'ORDER BY age LIMIT 1'],
    [
      'the newest album',
      'SELECT a FROM album ORDER BY made DESC LIMIT 1',
      'the oldest album',
      'ORDER BY made LIMIT 1',
    ],
    [
      'the oldest album',
      'SELECT a FROM album ORDER BY made LIMIT 1',
      'the newest album',
      'made DESC LIMIT 1',
    ],
    ['the lowest age', 'SELECT min(age) FROM customer', 'the highest age', 'MAX(age) FROM customer'],
    [
      'Which country has the most customers?',
      'SELECT country FROM customer GROUP BY country ORDER BY COUNT(*) DESC LIMIT 1',
      'Which country has the fewest customers?',
      'ORDER BY COUNT(*) LIMIT 1',
    ],
    [
      'the most expensive one',
      'SELECT a FROM t ORDER BY price DESC LIMIT 1',
      'the least expensive one',
      'price LIMIT 1',
    ],
    ['names in descending order of age', `${BY_AGE} DESC`, 'names in ascending order of age', 'ORDER BY age'],
    [
      'names in alphabetical order',
      'SELECT n FROM t ORDER BY n ASC',
      'names in reverse alphabetical order',
      'n DESC',
    ],
  ])('%s', async (question, gold, turned, part) => {
    const [one, ...more] = (await madeOf({ question, gold }, 'direction')).made;
    expect(more).toEqual([]);
    expect(one?.question).toBe(turned);
    expect(goldOf(one)).toMatch(new RegExp(`${part.replace(/[()*]/g, '\\$&')}$`));
  });

  it.each([
    ['the words say another sign than the gold', 'older than 30', 'SELECT 1 FROM t WHERE age < 30'],
    ['there are two directions', 'the highest and the lowest age', 'SELECT max(age), min(age) FROM t'],
    ['the gold has none', 'the oldest customer', 'SELECT name FROM customer WHERE id = 3'],
    ['a date is compared', 'born after 1990', "SELECT 1 FROM t WHERE born > '1990-12-31'"],
  ])('is not made where %s', async (_, question, gold) => {
    expect((await madeOf({ question, gold }, 'direction')).made).toEqual([]);
  });
});

describe('a turned negation', () => {
  const italians = "SELECT name FROM customer WHERE country = 'Italy'";
  const none = 'SELECT name FROM customer WHERE id NOT IN (SELECT c FROM o)';
  it.each([
    ['customers in Italy', italians, 'customers that are not in Italy', "country <> 'Italy'"],
    [
      'How many customers do we have in Italy?',
      italians,
      'How many customers do we have that are not in Italy?',
      "<> 'Italy'",
    ],
    ['customers whose country is Italy', italians, 'customers whose country is not Italy', "<> 'Italy'"],
    ['customers that are based in Italy', italians, 'customers that are not based in Italy', undefined],
    [
      'customers not in Italy',
      "SELECT name FROM customer WHERE country != 'Italy'",
      'customers in Italy',
      "= 'Italy'",
    ],
    ['customers that do not have orders', none, 'customers that have orders', 'id IN (SELECT c FROM o)'],
    ['customers without any orders', none, 'customers with orders', 'id IN (SELECT c FROM o)'],
    [
      'the customer who does not carry a dog',
      'SELECT a FROM t EXCEPT SELECT a FROM u',
      'the customer who carries a dog',
      'INTERSECT SELECT a FROM u',
    ],
    [
      'films never rented',
      'SELECT a FROM f WHERE NOT EXISTS (SELECT 1 FROM r)',
      'films rented',
      'WHERE EXISTS (SELECT 1 FROM r)',
    ],
  ])('%s', async (question, gold, turned, part) => {
    const { made } = await madeOf({ question, gold }, 'negation');
    if (part === undefined) return expect(made).toEqual([]);
    expect(made.map((one) => one.question.trim())).toEqual([turned]);
    expect(goldOf(made[0])?.endsWith(part)).toBe(true);
  });

  it.each([
    ['what is said of the value', 'What country is Italy known as?', italians],
    ['a verb between', 'customers that live in Italy', italians],
    [
      'what another table holds',
      'customers in Italy',
      "SELECT 1 FROM customer JOIN c ON a = b WHERE c.n = 'Italy'",
    ],
    ['two denials', 'not old and not in Italy', "SELECT 1 FROM customer WHERE a <> 1 AND b <> 'Italy'"],
  ])('is not made of %s', async (_, question, gold) => {
    expect((await madeOf({ question, gold }, 'negation')).made).toEqual([]);
  });
});

describe('other words', () => {
  const words = {
    ...DEFAULT_WORDS,
    synonyms: { customer: ['age', 'patron'], album: ['record'], 'list the': ['enumerate the'] },
  };
  it.each([
    ['How many customers are there?', ['How many patrons are there?']],
    ['List the albums', ['Enumerate the albums', 'List the records']],
    ['Who has an album?', ['Who has a record?']],
    ['Who has the albumen?', []],
    ['tracks of the album Customer', ['tracks of the record Customer']],
  ])('%s', async (question, expected) => {
    const gold = "SELECT name FROM customer WHERE name = 'Customer'";
    const { made } = await madeOf({ question, gold }, 'synonym', { words });
    expect(made.map((one) => one.question).sort()).toEqual(expected);
    for (const { due } of made) expect(due).toEqual({ kind: 'same' });
  });
});

describe('noise', () => {
  it('changes no word that counts, and the same seed gives the same', async () => {
    const row = {
      question: 'Which customers are in IN?',
      gold: "SELECT 1 FROM customer WHERE country = 'IN'",
    };
    const hows = new Set<string>();
    for (let seed = 0; seed < 30; seed += 1) {
      const dice = (name: string) => makeDice(seed, name);
      const [first, again] = [await madeOf(row, 'noise', { dice }), await madeOf(row, 'noise', { dice })];
      expect(again).toEqual(first);
      for (const { how, question } of first.made) {
        hows.add(how);
        if (how !== 'typo') expect(question.toLowerCase()).toContain('which customers are in in');
        expect(question).toContain('IN');
      }
    }
    expect([...hows].sort()).toEqual(['can you', 'greeting', 'please', 'punctuation', 'thanks', 'typo']);
  });
});
