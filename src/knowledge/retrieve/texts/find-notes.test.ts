import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../../test/fixtures/retrieval/small-catalog.ts';
import type { Note } from '../../authored/authored.ts';
import { queryTerms } from '../../search/search-terms.ts';
import { RETRIEVAL_DEFAULTS } from '../settings/retrieval-settings.ts';
import { indexTables } from '../tables/table-index.ts';
import { findNotes, shelveNotes } from './find-notes.ts';

const tables = indexTables(
  smallCatalog({ orders: ['amount', 'refunded_at'], shops: ['city'], staff: ['salary'] }),
);
const note = (text: string, more: Partial<Note> = {}): Note => ({
  id: text,
  text,
  kind: 'data',
  topic: [],
  areas: [],
  tables: [],
  columns: [],
  place: 'knowledge/notes.md:1',
  ...more,
});
const NOTES = [
  note('Amounts of orders are in cents.', { tables: ['orders'], columns: ['orders.amount'] }),
  note('Shops in Berlin open on Sundays.', { tables: ['shops'] }),
  note('Holidays are in the calendar of the office.'),
  note('Salaries are secret.', { tables: ['staff'] }),
  note('Orders before 2020 are in `orders_old`.', { tables: ['orders_old'] }),
  note('I like totals rounded: orders too.', { user: 'ann' }),
];
const find = (question: string, user?: string, cosines = new Map<string, number>(), hidden: string[] = []) =>
  findNotes(
    { question: '', terms: queryTerms(question), cosines },
    shelveNotes(NOTES, tables, { terms: [], hiddenTables: new Set(hidden) }),
    { areas: [], ...(user === undefined ? {} : { user }) },
    RETRIEVAL_DEFAULTS.notes,
  ).notes;

describe('notes for a question', () => {
  it('come first when they are about what it names', () => {
    const [first] = find('What is the total amount of orders?');
    expect(first?.item.text).toBe('Amounts of orders are in cents.');
    expect(first?.score).toBeGreaterThanOrEqual(0.75);
    expect(first?.because).toEqual(['it applies: the question names what it is about']);
  });

  it('are left out when they share no word and no meaning', () => {
    expect(find('How many shops are there?').map(({ item }) => item.text)).not.toContain(
      'Holidays are in the calendar of the office.',
    );
    expect(find('weather')).toEqual([]);
  });

  it('are found by meaning alone', () => {
    const near = new Map([['Holidays are in the calendar of the office.', 0.8]]);
    expect(find('days off', undefined, near).map(({ item }) => item.text)).toEqual([
      'Holidays are in the calendar of the office.',
    ]);
  });

  it('carry a flag when they name what the catalog does not have', () => {
    const old = find('orders before 2020').find(({ item }) => item.tables.includes('orders_old'));
    expect(old?.because).toContain('it names orders_old, which is not in the catalog');
  });

  it('are not shown to others than their user, nor where their table is hidden', () => {
    const texts = (user?: string) => find('rounded totals of orders', user).map(({ item }) => item.text);
    expect(texts('ann')).toContain('I like totals rounded: orders too.');
    expect(texts('bob')).not.toContain('I like totals rounded: orders too.');
    expect(find('salaries of staff').length).toBe(1);
    expect(find('salaries of staff', undefined, new Map(), ['staff'])).toEqual([]);
  });

  it('are five at most, and the rest is counted', () => {
    const many = Array.from({ length: 8 }, (_, at) => note(`orders rule ${at}`, { tables: ['orders'] }));
    const shelf = shelveNotes(many, tables, { terms: [] });
    const asked = { question: '', terms: queryTerms('orders rule'), cosines: new Map<string, number>() };
    const found = findNotes(asked, shelf, { areas: [] }, RETRIEVAL_DEFAULTS.notes);
    expect([found.notes.length, found.total]).toEqual([5, 8]);
  });
});
