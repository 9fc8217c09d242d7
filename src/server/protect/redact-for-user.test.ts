import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeShop } from '../../../test/e2e/cli/make-shop.ts';
import { readConfig } from '../../config/index.ts';
import { openSession } from '../../session/project/open-session.ts';
import type { Session } from '../../session/project/session.ts';
import { MESSAGE, type Message } from '../contract/card-contract.ts';
import { countWithheld, policyFingerprint, redactForUser, WITHHELD } from './redact-for-user.ts';

const CONFIG = 'database: sqlite:shop.db\nsearch: { embedding: none }\n';
const FILTER = `version: 0.1.1
semantic_model:
  - name: shop
    datasets:
      - name: customers
        source: customers
        custom_extensions:
          - vendor_name: CANDOR
            data: '{"row_filter": "customers.city = :city"}'
`;

type ReaderName = 'same' | 'other rows' | 'orders alone' | 'no SQL' | 'admin';
type Card = Message['cards'][number];

let folder: string;
let project: Session;
let owner: Session;
let readers: Readonly<Record<ReaderName, { session: Session; showSql: boolean }>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-shown-'));
  makeShop(join(folder, 'shop.db'));
  writeFileSync(join(folder, 'candor.yml'), CONFIG);
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), FILTER);
  project = await openSession(await readConfig({ cwd: folder }));
  const view = (name: string, city: string, tables?: readonly string[]) =>
    project.forUser(name, { properties: { city }, ...(tables && { tables }) });
  owner = await view('ann', 'Lyon');
  const same = await view('bob', 'Lyon');
  readers = {
    same: { session: same, showSql: true },
    'no SQL': { session: same, showSql: false },
    'other rows': { session: await view('cid', 'Nice'), showSql: true },
    'orders alone': { session: await view('dan', 'Lyon', ['orders']), showSql: true },
    admin: { session: project, showSql: true },
  };
});
afterAll(async () => {
  await project.close();
  rmSync(folder, { recursive: true, force: true });
});

const BASE = { question: 'q', recordId: 'r-1', thinkMs: 1, related: [] };
const OPTION = { label: 'Lyon', question: 'customers in Lyon', sql: 'SELECT 1 FROM customers' };
const answered = (sql: string): Card => ({
  kind: 'answer',
  answer: {
    ...BASE,
    ...{ kind: 'answered', sql, columns: ['n'], rows: [], truncatedBy: null, explanation: 'said' },
    related: [
      { kind: 'note', text: 'a note', place: 'knowledge/x.md:1' },
      { kind: 'verified-pair', text: 'a pair', place: 'examples/x.sql', sql },
    ],
    evidence: [{ sqlSpan: { start: 0, end: 6 }, part: 'select', certainty: 'stated', why: 'a reason' }],
    words: [
      {
        ...{ span: { start: 0, end: 1 }, text: 'q', role: 'word' },
        claim: { kind: 'query', sqlSpans: [{ start: 7, end: 15 }], why: 'like “queue”' },
      },
    ],
    assumptions: [{ kind: 'value', text: 'taken as Lyon' }],
    checks: [{ name: 'execute', passed: true, detail: 'a detail' }],
    alternatives: [OPTION],
  },
  rowsLeftOut: 1,
});
const ORDERS = answered('SELECT COUNT(*) FROM orders');
const CUSTOMERS = answered('SELECT COUNT(*) FROM customers');
const BOTH = answered('SELECT COUNT(*) FROM orders WHERE customer_id IN (SELECT id FROM customers)');
const UNREADABLE = answered('SELECT FROM WHERE');
const SECRET = answered('');
const CLARIFY: Card = {
  kind: 'answer',
  answer: { ...BASE, kind: 'clarify', gap: 'value', phrase: 'x', ask: 'Which?', options: [OPTION] },
};
const table = (id: string, joinedWith: string[]) => ({
  ...{ id, name: id, tags: [], joinedWith, columns: [], because: ['“Lyon” stands in customers.city'] },
});
const TABLES: Card = {
  kind: 'tables',
  isChoice: false,
  tables: [table('orders', ['customers']), table('customers', ['orders'])],
};
const HIDDEN_TABLES: Card = { kind: 'tables', isChoice: false, tables: [table('customers', [])] };
const FIX: Card = {
  kind: 'fix',
  fix: { sql: 'SELECT 1 FROM custmers', problems: [], changes: [], left: [], ok: false },
};
const TEXT: Card = { kind: 'text', text: 'customers.city holds Lyon' };
const NOTED: Card = { kind: 'text', text: 'Note: mine (knowledge/x.md:1)' };

/** Card, whoever reads it, what of it is shown. */
const CASES: readonly [
  name: string,
  card: Card,
  reader: ReaderName,
  shown: keyof typeof WITHHELD | 'all' | 'alone',
][] = [
  ['an open table', ORDERS, 'same', 'all'],
  ['an open table, among other rows of another', ORDERS, 'other rows', 'alone'],
  ['an open table, to whom others are hidden', ORDERS, 'orders alone', 'alone'],
  ['an open table, to an admin without properties', ORDERS, 'admin', 'alone'],
  ['a filtered table', CUSTOMERS, 'same', 'all'],
  ['a filtered table of other rows', CUSTOMERS, 'other rows', 'rows'],
  ['a filtered table, to an admin without properties', CUSTOMERS, 'admin', 'rows'],
  ['a hidden table', CUSTOMERS, 'orders alone', 'tables'],
  ['a filtered table within a condition', BOTH, 'other rows', 'rows'],
  ['a hidden table within a condition', BOTH, 'orders alone', 'tables'],
  ['SQL that cannot be read', UNREADABLE, 'other rows', 'tables'],
  ['an answer that was kept without SQL', SECRET, 'same', 'all'],
  ['an answer that was kept without SQL, other rows', SECRET, 'other rows', 'tables'],
  ['a question back', CLARIFY, 'same', 'all'],
  ['a question back, other rows', CLARIFY, 'other rows', 'words'],
  ['a question back, hidden tables', CLARIFY, 'orders alone', 'words'],
  ['tables', TABLES, 'same', 'all'],
  ['tables that are all hidden', HIDDEN_TABLES, 'orders alone', 'tables'],
  ['a mended query', FIX, 'same', 'all'],
  ['a mended query, hidden tables', FIX, 'orders alone', 'words'],
  ['a mended query, no SQL', FIX, 'no SQL', 'sql'],
  ['a text', TEXT, 'same', 'all'],
  ['a text, other rows', TEXT, 'other rows', 'words'],
  ['a text, no SQL', TEXT, 'no SQL', 'sql'],
  ['a text with a note', NOTED, 'same', 'notes'],
];

const messageOf = (card: Card, view = policyFingerprint(owner, project)): Message =>
  MESSAGE.parse({
    ...{ id: 'm', at: '2024-10-01T00:00:00.000Z', text: 'my words', cards: [card], quickReplies: ['next'] },
    route: { intent: 'write_query', because: 'it names customers' },
    ...(view !== undefined && { view }),
    sent: [],
  });
const shownOf = (message: Message, reader: ReaderName) => {
  const [shown] = redactForUser([message], { ...readers[reader], project });
  if (shown === undefined) throw new Error('A message is missing.');
  return shown;
};

it.each(CASES)('%s', (_, card, reader, expected) => {
  const shown = shownOf(messageOf(card), reader);
  expect(shown).toMatchObject({ text: 'my words', quickReplies: [], route: { because: '' } });
  for (const left of ['sent', 'view']) expect(shown).not.toHaveProperty(left);
  const text = JSON.stringify(shown);
  for (const left of ['r-1', 'a note', 'Note:']) expect(text).not.toContain(left);
  const isWithheld = expected !== 'all' && expected !== 'alone';
  expect(countWithheld([shown])).toBe(isWithheld ? 1 : 0);
  if (isWithheld) expect(shown.cards).toEqual([{ kind: 'text', text: WITHHELD[expected] }]);
  else expect(shown.cards[0]?.kind).toBe(card.kind);
  if (expected === 'alone') {
    expect(text).toContain('SELECT');
    for (const left of ['a pair', 'taken as Lyon', 'a reason', 'customers in Lyon', 'a detail', 'queue'])
      expect(text).not.toContain(left);
  }
  if (expected === 'all' && card.kind === 'answer' && card.answer.kind === 'answered')
    for (const kept of ['a pair', 'taken as Lyon', 'customers in Lyon', 'queue'])
      expect(text).toContain(kept);
});

it('tables of a list that are hidden are not in it, nor in what is said of others', () => {
  const [card] = shownOf(messageOf(TABLES), 'orders alone').cards;
  expect(card).toMatchObject({ kind: 'tables', tables: [{ id: 'orders', joinedWith: [], because: [] }] });
  expect(JSON.stringify(card)).not.toMatch(/customers|Lyon/);
});

it('who may not see SQL sees none', () => {
  const shown = shownOf(messageOf(CUSTOMERS), 'no SQL');
  expect(shown.cards[0]).toMatchObject({ rowsLeftOut: 1, answer: { sql: '', evidence: [] } });
  expect(JSON.stringify(shown)).not.toMatch(/SELECT|queue/);
  const words = [{ text: 'q', claim: { kind: 'query', sqlSpans: [] } }];
  expect(shown.cards[0]).toMatchObject({ answer: { words } });
});

it('what was seen under rules that nobody knows is not shown', () => {
  const kept = { ...messageOf(CUSTOMERS), view: undefined };
  const { view: _, ...old } = kept;
  expect(shownOf(old, 'same').cards).toEqual([{ kind: 'text', text: WITHHELD.rows }]);
  const other = { ...messageOf(CUSTOMERS), view: 'of another day' };
  expect(shownOf(other, 'same').cards).toEqual([{ kind: 'text', text: WITHHELD.rows }]);
});

it('a session of other rules has no view', () => {
  expect(policyFingerprint({ ...owner, semanticsFingerprint: 'older' }, project)).toBeUndefined();
  expect(policyFingerprint(readers.same.session, project)).toBe(policyFingerprint(owner, project));
  expect(policyFingerprint(readers['other rows'].session, project)).not.toBe(
    policyFingerprint(owner, project),
  );
});
