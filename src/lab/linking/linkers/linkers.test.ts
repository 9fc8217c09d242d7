import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../test/models/scripted-model.ts';
import { CandorError } from '../../../errors.ts';
import type { LinkHypothesis, LinkReasoner } from '../../../reasoning/roles/link-reasoner.ts';
import { buildCatalog } from '../sets/build-catalog.ts';
import { findLinker } from './find-linker.ts';
import { FULL_LINKER } from './full-linker.ts';
import { keptAt, linkByVotes } from './link-by-votes.ts';
import { replayLinker } from './replay-linker.ts';
import { retrievalLinker } from './retrieval-linker.ts';

const table = (name: string, columns: string, primaryKey = 'id') => ({
  name,
  columns: columns.split(' ').map((column) => ({ name: column, type: 'TEXT' })),
  primaryKey: [primaryKey],
});
const catalog = buildCatalog('shop', 'sqlite', {
  tables: [
    table('customers', 'id name city'),
    table('orders', 'id customer_id day total'),
    table('planets', 'id mass'),
  ],
  keys: [{ fromTable: 'orders', fromColumns: ['customer_id'], toTable: 'customers', toColumns: ['id'] }],
});
const database = { name: 'shop', catalog };
const asked = (question: string) => ({ id: '7', database: 'shop', question, hint: '' });

describe('votes of paths', () => {
  /** Each text is a path: its fields, or `!` for one that fails. */
  const reasonerOf = (paths: readonly string[]): LinkReasoner => {
    const chosen = (hypothesis: LinkHypothesis): string[] => {
      if (hypothesis.summary === '!') throw new CandorError('model.unreachable', 'no reply');
      return hypothesis.summary.split(' ').filter(Boolean);
    };
    return {
      kind: 'model',
      hypothesise: async (question, _view, most) => {
        question.ledger.add('hypothesise', { promptTokens: 10, completionTokens: 5 });
        return paths.slice(0, most).map((summary, at) => ({
          ...{ id: `h${at}`, summary, differsBy: [], entities: [], filters: [], joins: [] },
          ...{ aggregations: [], time: '', ambiguous: [] },
        }));
      },
      selectTables: async (_question, hypothesis) =>
        chosen(hypothesis).map((field) => ({ name: field.split('.')[0] ?? '' })),
      selectFields: async (_question, hypothesis, view) => {
        expect(view.level).toBe('L1');
        return chosen(hypothesis).map((field) => ({
          table: field.split('.')[0] ?? '',
          column: field.split('.')[1] ?? '',
        }));
      },
      refine: async () => [],
    };
  };
  const vote = (paths: readonly string[]) => linkByVotes(asked('q'), catalog, reasonerOf(paths), { most: 9 });

  it('count how many paths chose an item, and what it cost', async () => {
    const votes = await vote(['orders.id orders.day', 'orders.id', 'customers.id orders.id', 'orders.day']);
    expect([...votes.fields]).toEqual([
      ['orders.id', 3],
      ['orders.day', 2],
      ['customers.id', 1],
    ]);
    expect(votes).toMatchObject({ paths: 4, tokens: 15 });
    expect(votes.tables.get('orders')).toBe(4);
  });

  // (s + 1) / (K + 2) of s = 3, 2, 1 at K = 4: 66.7, 50, 33.3 per cent.
  it.each([
    [0, ['customers.id', 'orders.day', 'orders.id']],
    [34, ['orders.day', 'orders.id']],
    [50, ['orders.day', 'orders.id']],
    [66, ['orders.id']],
    [67, []],
  ])('keep at %i %% of credibility %o', async (tau, fields) => {
    const votes = await vote(['orders.id orders.day', 'orders.id', 'customers.id orders.id', 'orders.day']);
    expect([...keptAt(votes, tau).fields].sort()).toEqual(fields);
  });

  it('are of the paths that did not fail; none left is an error', async () => {
    expect((await vote(['orders.id', '!'])).paths).toBe(1);
    await expect(vote(['!', '!'])).rejects.toMatchObject({ code: 'linking.no-path' });
  });
});

describe('ways of linking', () => {
  it('full keeps everything', async () => {
    const opened = await FULL_LINKER.open(database);
    const { tables, fields, tokens } = await opened.link(asked('q'));
    expect([tables.size, fields.size, tokens]).toEqual([3, 9, 0]);
  });

  it('retrieval keeps tables and columns of the words of a question, and keys', async () => {
    const opened = await retrievalLinker({ entries: 1 }).open(database);
    const { tables, fields } = await opened.link(asked('names of customers by city'));
    await opened.close();
    expect([...tables]).toEqual(['customers']);
    expect([...fields].sort()).toEqual(['customers.city', 'customers.id', 'customers.name']);
  });

  it('replay keeps what predictions use; a set-up may lack a question', async () => {
    const sqlOf = new Map([
      ['A|m', new Map([['7', 'SELECT total FROM orders']])],
      ['B|n', new Map([['8', 'SELECT mass FROM planets']])],
    ]);
    const linker = replayLinker({ sqlOf, setups: [] }, { setups: ['A|m', 'B|n'], expansions: [] });
    const opened = await linker.open(database);
    const { tables, fields } = await opened.link(asked('q'));
    expect([[...tables], [...fields]]).toEqual([['orders'], ['orders.total']]);
    // The curves count votes by themselves: they must keep what EviLink does.
    const curve = await replayLinker(
      { sqlOf, setups: [] },
      { setups: ['A|m', 'B|n'], expansions: [], tau: 0 },
    ).open(database);
    expect(await curve.link(asked('q'))).toEqual({ tables, fields, tokens: 0 });
    await expect(opened.link({ ...asked('q'), id: '9' })).rejects.toThrow(
      'no set-up has a prediction for the case 9',
    );
    expect(() => replayLinker({ sqlOf, setups: [] }, { setups: ['C|o'] })).toThrow('no set-up C|o');
  });

  it('replay is of the set bird only', async () => {
    await expect(
      findLinker('replay', { set: 'snow', dataDirectory: '/nowhere', cacheDirectory: '/nowhere' }),
    ).rejects.toMatchObject({
      code: 'eval.mode-invalid',
    });
  });
});

it('a model that fails is a question that failed, not what the ranker chose in its place', async () => {
  const model = scriptedModel(() => 'Let me think.');
  const linker = await findLinker('evilink', {
    ...{ set: 'snow', dataDirectory: '', cacheDirectory: '', model },
  });
  const opened = await linker.open(database);
  await expect(opened.link(asked('which customers have orders'))).rejects.toMatchObject({
    code: 'linking.no-path',
    message: expect.stringContaining('model.invalid-reply'),
  });
});
