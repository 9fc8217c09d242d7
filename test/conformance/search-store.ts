/** What every search store does alike; run for each of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type SearchDocument,
  type SearchHit,
  type SearchStore,
} from '../../src/knowledge/search/search-store.ts';
import { indexTerms, nameTrigrams, queryTerms } from '../../src/knowledge/search/search-terms.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { ROOT } from '../repo/read-imports.ts';

export interface MadeSearchStore {
  /** Empty. */
  readonly store: SearchStore;
  /** The same content once more, as another process opens it; absent where one connection is all there is. */
  openAgain?(): Promise<SearchStore>;
  /** For `sync-in-process.ts`: a path, or a URL and a workspace. */
  readonly place?: readonly string[];
  remove(): Promise<void>;
}

const document = (kind: DocumentKind, id: string, title: string, more: Partial<SearchDocument> = {}) => ({
  ...{ kind, id, title, body: '', tableIds: [] },
  ...more,
});
const table = (id: string, title: string, body = ''): SearchDocument =>
  document('table', id, title, { body, tableIds: [id] });
const column = (tableId: string, name: string): SearchDocument =>
  document('column', `${tableId}.${name}`, name, { tableIds: [tableId] });

const CORPUS: readonly SearchDocument[] = [
  table('shop.customers', 'Customers', 'people who bought something; CustomerID, first_name, e-mail address'),
  table('shop.orders', 'orders', 'what a customer ordered, when and for how much'),
  table('shop.order_items', 'order_items', 'lines of orders: article, quantity, price'),
  table('shop.articles', 'articles', 'what is sold: name, price, weight'),
  table('hr.employees', 'employees', 'people who work here; name, salary, manager'),
  table('hr.salaries', 'salaries', 'what employees were paid; valid from, valid to'),
  column('shop.customers', 'name'),
  column('shop.articles', 'name'),
  column('hr.employees', 'name'),
  column('shop.orders', 'ordered_at'),
  column('shop.customers', 'CustomerID'),
  column('shop.customers', 'adresse_électronique'),
  document('note', 'revenue', 'Revenue', { body: 'Revenue is price times quantity, before tax.' }),
  document('note', 'pay', 'Pay', {
    body: 'Salaries are monthly.',
    tableIds: ['hr.salaries', 'hr.employees'],
  }),
];
const WORDS = 'order customer name price note status tax paper'.split(' ');

/** Changes, adds and drops up to six tables of twenty; some texts are shared by many. */
function changeSome(place: Map<string, SearchDocument[]>, random: () => number) {
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const tables = new Set(
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => `t${Math.floor(random() * 20)}`),
  );
  const documents: SearchDocument[] = [];
  for (const id of tables) {
    if (random() < 0.3) {
      place.delete(id);
      continue;
    }
    const columns = new Set(Array.from({ length: Math.floor(random() * 4) }, word));
    const own = [table(id, `${word()} ${word()}`, word()), ...[...columns].map((name) => column(id, name))];
    place.set(id, own);
    documents.push(...own);
  }
  return { tables: [...tables], documents };
}

/** What can be seen of a store. */
async function contentOf(store: SearchStore) {
  const { documents, contents } = await store.stats();
  const found = [];
  for (const kind of ['table', 'column'] as const)
    for (const word of WORDS) {
      const query = { kinds: [kind], limit: 100 };
      for (const hits of [await store.searchWords(word, query), await store.searchNames(word, query)])
        found.push(hits.map((hit) => ({ ...hit, score: Number(hit.score.toFixed(9)) })));
    }
  return { documents, contents, found };
}

const ids = (hits: readonly SearchHit[]): string[] => hits.map(({ id }) => id);

export function behavesLikeSearchStore(name: string, make: () => Promise<MadeSearchStore>): void {
  describe(`${name}: search store`, () => {
    let made: MadeSearchStore;
    let store: SearchStore;
    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(async () => {
      await store.close();
      await made.remove();
    });

    describe('sync', () => {
      it('adds, changes, keeps and removes, and says how many of each', async () => {
        expect(await store.sync(DOCUMENT_KINDS, CORPUS)).toEqual({
          ...{ added: CORPUS.length, changed: 0, removed: 0, kept: 0 },
        });
        const changed = CORPUS.slice(1).map((old) =>
          old.id === 'shop.orders' ? { ...old, title: 'purchases' } : old,
        );
        expect(await store.sync(DOCUMENT_KINDS, [...changed, table('hr.absences', 'absences')])).toEqual({
          ...{ added: 1, changed: 1, removed: 1, kept: CORPUS.length - 2 },
        });
        expect(ids(await store.searchWords('purchases', { kinds: ['table'], limit: 5 }))).toEqual([
          'shop.orders',
        ]);
        expect(ids(await store.searchNames('absence', { kinds: ['table'], limit: 5 }))).toEqual([
          'hr.absences',
        ]);
        expect(ids(await store.searchWords('bought', { kinds: ['table'], limit: 5 }))).toEqual([]);
        expect(ids(await store.searchNames('customers', { kinds: ['table'], limit: 5 }))).toEqual([]);
      });

      it('takes changes of some tables to the state that a whole sync would make', async () => {
        const random = seededRandom(5);
        const whole = await make();
        const place = new Map<string, SearchDocument[]>();
        for (let step = 0; step < 12; step++) {
          const changed = changeSome(place, random);
          const counts = await store.apply(['table', 'column'], changed);
          const all = [...place.values()].flat();
          expect(counts.added + counts.changed + counts.kept).toBe([...changed.documents].length);
          await whole.store.sync(['table', 'column'], all);
          expect(await contentOf(store)).toEqual(await contentOf(whole.store));
        }
        // And nothing is left to do.
        const all = [...place.values()].flat();
        expect(await store.sync(['table', 'column'], all)).toEqual({
          ...{ added: 0, changed: 0, removed: 0, kept: all.length },
        });
        await whole.store.close();
        await whole.remove();
      });

      it('leaves other kinds, and documents of other tables, as they are', async () => {
        await store.sync(DOCUMENT_KINDS, CORPUS);
        const counts = await store.apply(['table', 'column'], {
          tables: ['hr.salaries', 'x'],
          documents: [],
        });
        expect(counts).toEqual({ added: 0, changed: 0, removed: 1, kept: 0 });
        const { documents } = await store.stats();
        expect(documents).toMatchObject({ table: 5, column: 6, note: 2 });
      });

      it('leaves documents of other kinds alone', async () => {
        await store.sync(DOCUMENT_KINDS, CORPUS);
        expect(await store.sync(['note'], [])).toEqual({ added: 0, changed: 0, removed: 2, kept: 0 });
        const { documents } = await store.stats();
        expect(documents).toMatchObject({ table: 6, column: 6, note: 0 });
      });

      it('notices that only the tables of a document have changed', async () => {
        await store.sync(['note'], [document('note', 'a', 'tax', { tableIds: ['x', 'y'] })]);
        const moved = [document('note', 'a', 'tax', { tableIds: ['z'] })];
        expect(await store.sync(['note'], moved)).toMatchObject({ changed: 1 });
        const search = (scope: string) =>
          store.searchWords('tax', { kinds: ['note'], limit: 5, scope: new Set([scope]) });
        expect([ids(await search('y')), ids(await search('z'))]).toEqual([[], ['a']]);
        expect(
          await store.sync(['note'], [document('note', 'a', 'tax', { tableIds: ['z', 'z'] })]),
        ).toMatchObject({
          kept: 1,
        });
      });

      it('keeps one content for documents of equal text, until the last of them is gone', async () => {
        await store.sync(
          ['column'],
          [column('a', 'id'), column('b', 'id'), column('c', 'id'), column('c', 'x')],
        );
        expect((await store.stats()).contents).toBe(2);
        await store.sync(['column'], [column('b', 'id')]);
        expect((await store.stats()).contents).toBe(1);
        expect(ids(await store.searchWords('id', { kinds: ['column'], limit: 9 }))).toEqual(['b.id']);
        await store.sync(['column'], []);
        expect(await store.stats()).toMatchObject({ contents: 0, documents: { column: 0 } });
      });

      it('keeps the old documents when it is cancelled, while they come and at the end', async () => {
        await store.sync(DOCUMENT_KINDS, CORPUS);
        const before = await store.stats();
        for (const at of [1, 4_100, 4_999]) {
          const control = new AbortController();
          const documents = function* () {
            for (let index = 0; index < 5_000; index++) {
              if (index === at) control.abort(new Error('stopped'));
              yield table(`new${index}`, `new table ${index}`);
            }
          };
          await expect(store.sync(['table'], documents(), control.signal)).rejects.toThrow('stopped');
        }
        expect({ ...(await store.stats()), bytes: 0 }).toEqual({ ...before, bytes: 0 });
        expect(ids(await store.searchWords('people', { kinds: ['table'], limit: 5 }))).toHaveLength(2);
      });

      it('keeps the old documents when those that come fail half-way', async () => {
        await store.sync(['table'], CORPUS.slice(0, 6));
        const failing = async function* () {
          yield table('a', 'first');
          throw new Error('the source broke');
        };
        await expect(store.sync(['table'], failing())).rejects.toThrow('the source broke');
        expect((await store.stats()).documents.table).toBe(6);
      });

      it.each([
        ['another kind than those it is for', ['table'], [document('note', 'a', 'x')]],
        ['an id that comes twice', ['table'], [table('a', 'x'), table('a', 'y')]],
        ['an empty id', ['table'], [table('', 'x')]],
        ['an id with a NUL', ['table'], [table('a\0b', 'x')]],
        ['a text beyond all measure', ['table'], [table('a', 'x', 'y'.repeat(1_000_001))]],
      ] as const)('refuses %s, and keeps what is there', async (_, kinds, documents) => {
        await store.sync(['table'], CORPUS.slice(0, 6));
        expect(await codeOf(store.sync(kinds, documents))).toBe('store.document-invalid');
        expect((await store.stats()).documents.table).toBe(6);
      });
    });

    describe('words', () => {
      beforeEach(() => store.sync(DOCUMENT_KINDS, CORPUS));

      it.each([
        ['customer ids', 'table', ['shop.customers', 'shop.orders']],
        ['the CUSTOMER', 'column', ['shop.customers.CustomerID']],
        ['adresse electronique', 'column', ['shop.customers.adresse_électronique']],
        ['name', 'column', ['hr.employees.name', 'shop.articles.name', 'shop.customers.name']],
        ['what is the revenue?', 'note', ['revenue']],
        ['employee', 'table', ['hr.employees', 'hr.salaries']],
      ] as const)('%j finds what has any of them', async (text, kind, expected) => {
        expect(ids(await store.searchWords(text, { kinds: [kind], limit: 10 }))).toEqual(expected);
      });

      it('ranks by BM25, as it is worked out by hand', async () => {
        for (const text of ['price of articles ordered by people', 'name', 'what employees were paid']) {
          const hits = await store.searchWords(text, { kinds: ['table'], limit: 10 });
          const expected = bm25(
            text,
            CORPUS.filter(({ kind }) => kind === 'table'),
          );
          expect(ids(hits)).toEqual(expected.map(({ id }) => id));
          for (const [index, { score }] of hits.entries())
            expect(score).toBeCloseTo(expected[index]!.score, 9);
        }
      });

      it('ranks by what is there now, not by what was there once', async () => {
        const rest = CORPUS.filter(({ id }) => id !== 'shop.articles' && id !== 'hr.salaries');
        await store.sync(DOCUMENT_KINDS, rest);
        const text = 'price of articles ordered by people';
        const hits = await store.searchWords(text, { kinds: ['table'], limit: 10 });
        const expected = bm25(
          text,
          rest.filter(({ kind }) => kind === 'table'),
        );
        expect(ids(hits)).toEqual(expected.map(({ id }) => id));
        for (const [index, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[index]!.score, 9);
      });

      it.each([
        '',
        '   ',
        '?!',
        '"',
        '" OR "',
        'name*',
        '^name',
        'NEAR(name price, 2)',
        'title:name',
        'name AND NOT price',
        '- + { } : ( )',
        "'; DROP TABLE documents; --",
        '\0',
        'name\0price',
        '\ud800',
        '%_\\',
        '$1',
        '{"a":[1]}',
        'the of and to',
        'x'.repeat(100_000),
        'name '.repeat(20_000),
        '🙂',
        '名前',
        '\u202eeman',
      ])('takes any text as words: %j', async (text) => {
        for (const search of ['searchWords', 'searchNames'] as const) {
          const hits = await store[search](text, { kinds: DOCUMENT_KINDS, limit: 5 });
          for (const { score } of hits) expect(score).toBeGreaterThan(0);
        }
        expect((await store.stats()).documents.table).toBe(6);
      });

      it('finds words of structure when there is nothing else to look for', async () => {
        await store.sync(['column'], [column('mail', 'to'), column('mail', 'subject')]);
        const query = { kinds: ['column'] as const, limit: 5 };
        expect(ids(await store.searchWords('to whom?', query))).toEqual(['mail.to']);
        expect(ids(await store.searchWords('to whom, which subject?', query))).toEqual(['mail.subject']);
      });

      it('finds words of scripts without spaces', async () => {
        await store.sync(['column'], [column('売上', '顧客番号'), column('売上', '金額')]);
        const hits = await store.searchWords('顧客ごとの金額', { kinds: ['column'], limit: 5 });
        expect(ids(hits).sort()).toEqual(['売上.金額', '売上.顧客番号']);
      });
    });

    describe('scope, kinds and limits', () => {
      const many = Array.from({ length: 300 }, (_, index) => `t${String(index).padStart(3, '0')}`);
      beforeEach(() =>
        store.sync(DOCUMENT_KINDS, [
          ...CORPUS,
          ...many.flatMap((id) => [column(id, 'state'), column(id, `state_code`), table(id, `state ${id}`)]),
        ]),
      );

      it('leaves other tables out before it counts', async () => {
        for (const scope of [[many[299]!], many.slice(200, 280), many.slice(1), ['no such table'], []]) {
          const hits = await store.searchWords('state', {
            ...{ kinds: ['column'], limit: 3, scope: new Set(scope) },
          });
          const expected = scope.filter((id) => id !== 'no such table').map((id) => `${id}.state`);
          expect(ids(hits).slice(0, 3)).toEqual(
            scope.length === 1 && expected.length === 1
              ? [`${scope[0]}.state`, `${scope[0]}.state_code`]
              : expected.slice(0, 3),
          );
        }
      });

      it('leaves nothing out for a scope of every table', async () => {
        const scope = new Set([...CORPUS.flatMap(({ tableIds }) => tableIds), ...many]);
        const query = { kinds: ['column', 'table'] as const, limit: 50 };
        expect(await store.searchWords('state', { ...query, scope })).toEqual(
          await store.searchWords('state', query),
        );
      });

      it('has documents of no table in every scope, and those of several in that of any', async () => {
        const search = async (text: string, scope: readonly string[]) =>
          ids(await store.searchWords(text, { kinds: ['note'], limit: 5, scope: new Set(scope) }));
        expect(await search('revenue', [])).toEqual(['revenue']);
        expect(await search('salaries', ['hr.employees'])).toEqual(['pay']);
        expect(await search('salaries', ['shop.orders'])).toEqual([]);
      });

      it('does not mind when the caller goes on to change the scope', async () => {
        const scope = new Set(['t001']);
        const search = async () =>
          ids(await store.searchWords('state', { kinds: ['column'], limit: 1, scope }));
        expect(await search()).toEqual(['t001.state']);
        scope.clear();
        scope.add('t002');
        expect(await search()).toEqual(['t002.state']);
      });

      it('gives as many documents of one content as are asked for', async () => {
        const query = { kinds: ['column'] as const, limit: 10, perContent: 2 };
        expect(ids(await store.searchWords('state code', query))).toEqual([
          ...['t000.state_code', 't001.state_code', 't000.state', 't001.state'],
        ]);
        const scope = new Set(many.slice(7));
        expect(ids(await store.searchNames('state_code', { ...query, scope }))).toEqual([
          ...['t007.state_code', 't008.state_code', 't007.state', 't008.state'],
        ]);
      });

      it.each([0, -1, 0.4, Number.NaN, Number.POSITIVE_INFINITY, 1e12, 2.9])(
        'takes any number as a limit: %d',
        async (limit) => {
          const most = Number.isNaN(limit) ? 0 : Math.max(0, Math.min(600, Math.trunc(limit)));
          for (const search of ['searchWords', 'searchNames'] as const)
            expect(await store[search]('state', { kinds: ['column'], limit })).toHaveLength(most);
          await store.putVectors('m', new Map([['of no text', Float32Array.of(1, 0)]]));
          expect(await store.searchVectors('m', Float32Array.of(1, 0), { kinds: ['column'], limit })).toEqual(
            [],
          );
          expect((await store.pendingTexts('m', ['column'], limit)).length).toBeLessThanOrEqual(most);
        },
      );

      it('searches the given kinds only, and the best of all of them', async () => {
        const both = await store.searchWords('name price', { kinds: ['table', 'column'], limit: 4 });
        const tables = await store.searchWords('name price', { kinds: ['table'], limit: 4 });
        const columns = await store.searchWords('name price', { kinds: ['column'], limit: 4 });
        const best = [...tables, ...columns].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
        expect(both).toEqual(best.slice(0, 4));
        expect(await store.searchWords('name', { kinds: [], limit: 4 })).toEqual([]);
      });
    });

    describe('names', () => {
      beforeEach(() => store.sync(DOCUMENT_KINDS, CORPUS));

      it.each([
        ['custmers', 'table', 'shop.customers'],
        ['ORDER ITEM', 'table', 'shop.order_items'],
        ['employes', 'table', 'hr.employees'],
        ['customer_identity', 'column', 'shop.customers.CustomerID'],
        ['adresse electronic', 'column', 'shop.customers.adresse_électronique'],
      ] as const)('%j is spelt like a %s', async (text, kind, expected) => {
        const [best] = await store.searchNames(text, { kinds: [kind], limit: 3 });
        expect(best?.id).toBe(expected);
      });

      it('scores by the share of equal trigrams, and leaves out what is not alike', async () => {
        const hits = await store.searchNames('orders', { kinds: ['table'], limit: 10 });
        const left = new Set(nameTrigrams('orders'));
        const expected = CORPUS.filter(({ kind }) => kind === 'table')
          .map(({ id, title }) => {
            const right = nameTrigrams(title);
            const shared = right.filter((trigram) => left.has(trigram)).length;
            return { id, score: shared / (left.size + right.length - shared) };
          })
          .filter(({ score }) => score >= 0.3)
          .sort((a, b) => b.score - a.score);
        expect(ids(hits)).toEqual(expected.map(({ id }) => id));
        for (const [index, { score }] of hits.entries())
          expect(score).toBeCloseTo(expected[index]!.score, 12);
      });
    });

    describe('vectors', () => {
      /** A unit vector of 8 numbers that depends on the text. */
      const embed = (text: string, dimensions = 8): Float32Array => {
        const raw = Array.from({ length: dimensions }, (_, index) =>
          Math.sin(
            [...text].reduce((sum, sign, place) => sum + sign.charCodeAt(0) * (place + index + 1), index),
          ),
        );
        return Float32Array.from(raw, (value) => value / Math.hypot(...raw));
      };
      const embedAll = async (model: string): Promise<void> => {
        for (;;) {
          const pending = await store.pendingTexts(model, DOCUMENT_KINDS, 5);
          if (pending.length === 0) return;
          expect(pending.length).toBeLessThanOrEqual(5);
          await store.putVectors(model, new Map(pending.map(({ hash, text }) => [hash, embed(text)])));
        }
      };
      beforeEach(() => store.sync(DOCUMENT_KINDS, CORPUS));

      it('finds the nearest, as comparing all of them does', async () => {
        await embedAll('m');
        const texts = CORPUS.map(({ id, title, body, kind, tableIds }) => ({
          ...{ id, kind, tableIds },
          text: body === '' ? title : `${title}: ${body}`,
        }));
        for (const scope of [undefined, new Set(['hr.employees', 'shop.articles'])]) {
          const query = embed('how much were people paid');
          const kinds = ['table', 'note', 'column'] as const;
          const hits = await store.searchVectors('m', query, { kinds, limit: 5, ...(scope && { scope }) });
          const expected = texts
            .filter(({ tableIds }) => !scope || tableIds.length === 0 || tableIds.some((id) => scope.has(id)))
            .map(({ id, text }) => {
              const vector = embed(text);
              return { id, score: vector.reduce((sum, value, index) => sum + value * query[index]!, 0) };
            })
            .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
          for (const [index, { score }] of hits.entries())
            expect(score).toBeCloseTo(expected[index]!.score, 5);
          expect(ids(hits)).toEqual(expected.slice(0, 5).map(({ id }) => id));
        }
      });

      it('embeds each text once, and a text that came later is found too', async () => {
        await embedAll('m');
        const { contents, vectors } = await store.stats();
        expect(vectors).toEqual({ m: contents });
        const search = () => store.searchVectors('m', embed('overtime'), { kinds: ['table'], limit: 1 });
        expect(ids(await search())).not.toEqual(['hr.overtime']);
        const tables = CORPUS.filter(({ kind }) => kind === 'table');
        await store.sync(['table'], [...tables, table('hr.overtime', 'overtime')]);
        expect(await store.pendingTexts('m', DOCUMENT_KINDS, 9)).toMatchObject([{ text: 'overtime' }]);
        expect(await store.pendingTexts('m', ['note'], 9)).toEqual([]);
        expect(await store.pendingTexts('other', DOCUMENT_KINDS, 99)).toHaveLength(contents + 1);
        await embedAll('m');
        expect(ids(await search())).toEqual(['hr.overtime']);
        await store.sync(['table'], tables);
        expect(ids(await search())).not.toEqual(['hr.overtime']);
        expect((await store.stats()).vectors).toEqual({ m: contents });
      });

      it('keeps models apart, and finds nothing for one that it does not know', async () => {
        await embedAll('m');
        expect(await store.searchVectors('x', embed('pay'), { kinds: ['note'], limit: 3 })).toEqual([]);
        const [pending] = await store.pendingTexts('long', ['note'], 1);
        await store.putVectors('long', new Map([[pending!.hash, embed('pay', 16)]]));
        expect(
          await store.searchVectors('long', embed('pay', 16), { kinds: DOCUMENT_KINDS, limit: 3 }),
        ).toHaveLength(1);
      });

      it('replaces a vector that is there already', async () => {
        const [pending] = await store.pendingTexts('m', ['note'], 1);
        const query = { kinds: ['note'] as const, limit: 1 };
        for (const text of ['before', 'after']) {
          await store.putVectors('m', new Map([[pending!.hash, embed(text)]]));
          const [hit] = await store.searchVectors('m', embed(text), query);
          expect(hit?.score).toBeCloseTo(1, 5);
        }
      });

      it('refuses vectors of another length or without numbers, and keeps none of their batch', async () => {
        await embedAll('m');
        const put = (...vectors: Float32Array[]) =>
          store.putVectors('m', new Map(vectors.map((vector, index) => [`hash${index}`, vector])));
        expect(await codeOf(put(embed('a'), embed('b', 16)))).toBe('store.vector-invalid');
        expect(await codeOf(put(embed('a', 16)))).toBe('store.vector-invalid');
        expect(await codeOf(put(embed('a'), Float32Array.of(Number.NaN, 0, 0, 0, 0, 0, 0, 0)))).toBe(
          'store.vector-invalid',
        );
        expect(await codeOf(store.searchVectors('m', embed('a', 4), { kinds: ['note'], limit: 1 }))).toBe(
          'store.vector-invalid',
        );
        const { contents, vectors } = await store.stats();
        expect(vectors).toEqual({ m: contents });
      });
    });

    describe('beside another process', () => {
      it('sees what the other has changed, also what it had in memory', async (context) => {
        const other = await made.openAgain?.();
        if (other === undefined) return context.skip('one connection is all there is');
        try {
          await store.sync(['column'], [column('a', 'state')]);
          const scope = new Set(['b']);
          const search = async () =>
            ids(await store.searchWords('state', { kinds: ['column'], limit: 5, scope }));
          expect(await search()).toEqual([]);
          await other.sync(
            ['column'],
            [column('a', 'state'), column('b', 'state'), column('b', 'state_code')],
          );
          // A list that is cut short must not hold on to what it was read from.
          const first = { kinds: ['column'] as const, limit: 1 };
          expect(ids(await store.searchWords('state', first))).toEqual(['a.state']);
          await other.sync(['column'], [column('b', 'state'), column('b', 'state_code')]);
          expect(ids(await store.searchWords('state', first))).toEqual(['b.state']);
          expect(await search()).toEqual(['b.state', 'b.state_code']);
          await other.sync(['column'], [column('a', 'state'), column('b', 'state')]);
          const [pending] = await other.pendingTexts('m', ['column'], 1);
          const near = () => store.searchVectors('m', Float32Array.of(1, 0), { kinds: ['column'], limit: 5 });
          expect(await near()).toEqual([]);
          await other.putVectors('m', new Map([[pending!.hash, Float32Array.of(0.6, 0.8)]]));
          expect((await near()).map(({ score }) => Math.round(score * 1e6) / 1e6)).toEqual([0.6, 0.6]);
        } finally {
          await other.close();
        }
      });

      it('brings documents up to date one after the other when two do it at once', async (context) => {
        const other = await made.openAgain?.();
        if (other === undefined) return context.skip('one connection is all there is');
        try {
          const set = (prefix: string) =>
            Array.from({ length: 3_000 }, (_, index) =>
              table(`${prefix}${index}`, `${prefix} table ${index % 50}`),
            );
          const counts = await Promise.all([
            store.sync(['table'], set('one')),
            other.sync(['table'], set('two')),
            other.sync(['note'], [document('note', 'n', 'a note')]),
          ]);
          const [first, second] = counts[0]!.removed === 0 ? ['one', 'two'] : ['two', 'one'];
          const removed = counts.map((count) => count.removed).sort((a, b) => a - b);
          expect(removed).toEqual([0, 0, 3_000]);
          expect((await store.stats()).documents).toMatchObject({ table: 3_000, note: 1 });
          expect((await store.stats()).contents).toBe(51);
          const query = { kinds: ['table'] as const, limit: 3 };
          expect(await store.searchWords(first!, query)).toEqual([]);
          expect(await other.searchWords(second!, query)).toHaveLength(3);
        } finally {
          await other.close();
        }
      });

      it.each([0, 40, 150])(
        'keeps the old documents when a sync is killed %d ms into its changes',
        async (delay) => {
          const { place, openAgain } = made;
          if (place === undefined || openAgain === undefined) return;
          await store.sync(['table'], [table('old', 'old table')]);
          const script = join(ROOT, 'test/conformance/sync-in-process.ts');
          const child = spawn(process.execPath, ['--import', 'tsx', script, '20000', ...place], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          await once(child.stdout, 'data');
          await new Promise((resolve) => setTimeout(resolve, delay));
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
          expect((await store.stats()).documents.table).toBe(1);
          expect(ids(await store.searchWords('old', { kinds: ['table'], limit: 2 }))).toEqual(['old']);
          const again = await openAgain.call(made);
          expect(
            await again.sync(['table'], [table('old', 'old table'), table('next', 'next table')]),
          ).toEqual({
            ...{ added: 1, changed: 0, removed: 0, kept: 1 },
          });
          await again.close();
        },
      );
    });
  });
}

/** BM25 over the documents, each a text of its own; constants and counting as in SQLite's documentation of FTS5. */
function bm25(text: string, documents: readonly SearchDocument[]): { id: string; score: number }[] {
  const texts = documents.map(({ id, title, body }) => {
    const [titleTerms, bodyTerms] = [indexTerms(title), indexTerms(body)];
    return { id, titleTerms, bodyTerms, length: titleTerms.length + bodyTerms.length };
  });
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const count = (terms: readonly string[], term: string) => terms.filter((other) => other === term).length;
  return texts
    .map(({ id, titleTerms, bodyTerms, length }) => {
      let score = 0;
      for (const term of queryTerms(text)) {
        const having = texts.filter((other) =>
          [...other.titleTerms, ...other.bodyTerms].includes(term),
        ).length;
        const idf = Math.max(1e-6, Math.log((texts.length - having + 0.5) / (having + 0.5)));
        const weight = 3 * count(titleTerms, term) + count(bodyTerms, term);
        score += (idf * weight * 2.2) / (weight + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return { id, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
