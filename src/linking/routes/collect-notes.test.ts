import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import { formSchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import { prepareLinking } from '../link-sources.ts';
import { notesOf } from './collect-notes.ts';

describe('notes of a table that was found', () => {
  it.each([
    [{ isCertified: true, isDeprecated: false }, ['note: people have certified it']],
    [{ isCertified: false, isDeprecated: true }, ['note: people have marked it as deprecated']],
    [{ isCertified: false, isDeprecated: false }, []],
  ])('of %j say what people think of it', async (standing, expected) => {
    const catalog = smallCatalog({ orders: ['id', 'city'] });
    const { linker, forests } = await prepareLinking(catalog);
    const opinion = formSchemaOpinion({ question: 'how many?' }, linker, forests);
    const item = { tableId: 'orders', popularity: 0, ...standing };
    const retrieved = {
      ...{ metrics: [], dimensions: [], jargon: [], tables: [{ item, score: 1, because: ['its name'] }] },
      ...{ columns: [], values: [], notes: [], examples: [], truncations: [], warnings: [] },
    };
    const notes = notesOf(retrieved, opinion, indexTables(catalog), 'all').get('orders') ?? [];
    expect(notes.filter(({ kind }) => kind === 'note').map(({ kind, text }) => `${kind}: ${text}`)).toEqual(
      expected,
    );
  });
});
