import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { estimateTokens } from '../../catalog/prompt-schema/index.ts';
import type { Retrieved } from '../../knowledge/retrieve/index.ts';
import type { Session } from '../../session/project/session.ts';
import { instructionsOf } from './build-sql-prompt.ts';
import { linkingOf, linkQuestion } from './link-question.ts';
import { assembleContext, fitsWhole } from './question-context.ts';

let small: SmallSession;
let session: Session;
beforeAll(async () => {
  small = await openSmallSession();
  const { authored, semantics } = small.session;
  const note = { id: 'n', kind: 'data', topic: [], areas: [], tables: ['singers'], columns: [] } as const;
  session = changedSession(small.session, {
    semantics: {
      ...semantics,
      datasets: semantics.datasets.map((dataset) =>
        dataset.name === 'concerts'
          ? {
              ...dataset,
              synonyms: ['shows'],
              defaultFilter: { sql: 'concerts.sales > 0', text: 'without cancelled concerts' },
            }
          : dataset,
      ),
      valueMappings: [{ column: 'singers.country', value: 'France', surface: ['French'] }],
    },
    authored: {
      ...authored,
      notes: [{ ...note, text: 'Ages are of today.', place: 'knowledge/a.md:1' }],
      statuses: [
        {
          ...{ table: 'stadiums', status: 'deprecated', by: 'ana', at: '2024-01-01' },
          ...{ replacedBy: 'concerts', place: 'knowledge/status.yml:1' },
        },
      ],
    },
    examples: [{ question: 'How many?', sql: 'SELECT 1', file: 'a.sql' }],
  });
});
afterAll(() => small.close());

describe('the context of a question', () => {
  it('is everything that is known, where it fits', () => {
    const context = assembleContext(session, { sharing: 'all' });
    expect(context).toMatchObject({ isWhole: true, cuts: [], notes: ['Ages are of today.'] });
    expect(context.pairs).toHaveLength(1);
    const schema = context.schema();
    for (const said of [
      'default condition: concerts.sales > 0 (without cancelled concerts)',
      'people say shows',
      'its time is concerts.held_on',
      'deprecated, use concerts in its place',
      '"France" is French',
      '-> stadiums.stadium_id',
    ])
      expect(schema).toContain(said);
    expect(context.definitions).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^ticket income \(takings\) = SUM\(concerts\.sales\); from concerts; by concerts\.held_on; in EUR; .*city$/,
        ),
        '“weather” cannot be answered here: no weather is stored.',
        '“popularity” is vague here. How is popularity measured? tickets / sales',
        '“gigs” means concerts',
      ]),
    );
  });

  it('is cut where it does not fit, and says so', async () => {
    const contextWindow = 1_000;
    expect(fitsWhole(session, contextWindow)).toBe(false);
    const { linked, retrieved } = await linkQuestion('How many singers?', await linkingOf(session));
    const part = linked && {
      ...linked,
      catalog: { ...linked.catalog, tables: linked.catalog.tables.slice(0, 1) },
    };
    const context = assembleContext(session, { linked: part, retrieved, sharing: 'all', contextWindow });
    expect(context.isWhole).toBe(false);
    expect(context.cuts).toContainEqual(expect.stringMatching(/^1 of \d+ tables shown$/));
  });

  it('keeps what a table in view says of others where the question names one more', async () => {
    const contextWindow = 1_000;
    const { linked, retrieved } = await linkQuestion('How many singers?', await linkingOf(session));
    const tables = linked?.catalog.tables.filter(({ id }) => id === 'singers') ?? [];
    const said = tables.map((table) => ({ ...table, comment: 'one of 30 tables with these columns' }));
    const part = linked && { ...linked, catalog: { ...linked.catalog, tables: said } };
    const context = assembleContext(session, {
      ...{ question: 'How many rows has table stadiums?', linked: part, retrieved, sharing: 'all' },
      contextWindow,
    });
    expect(context.catalog.tables.map(({ id, comment = '' }) => [id, comment])).toEqual([
      ['singers', 'one of 30 tables with these columns'],
      ['stadiums', ''],
    ]);
  });

  it.each([1_000, 400])(
    'tells of what people wrote no more than a quarter of a window of %i tokens',
    async (contextWindow) => {
      const { linked, retrieved } = await linkQuestion('How many singers?', await linkingOf(session));
      const jargon = Array.from({ length: 50 }, (_, at) => ({
        ...{ term: `word ${at}`, meaning: 'one of many things that people say here', place: `j:${at}` },
      }));
      const over = changedSession(session, { authored: { ...session.authored, jargon } });
      const parts = { linked, retrieved, sharing: 'all' } as const;
      const small = assembleContext(over, { ...parts, contextWindow });
      const pairs = small.pairs.map((pair) => pair.question + pair.sql);
      const told = [...small.definitions, ...small.notes, ...pairs].map(estimateTokens);
      expect(told.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(contextWindow / 4);
      expect(small.cuts).toContainEqual(expect.stringMatching(/^\d+ of 50 terms shown$/));
    },
  );

  it('leaves out metrics whose conditions read a table that is not there', () => {
    const { semantics } = session;
    const [metric] = semantics.metrics;
    const reading = (name: string, table: string) => ({
      ...metric!,
      ...{ name, filters: [`concerts.concert_id IN (SELECT x FROM ${table} WHERE pay > 5)`] },
    });
    const metrics = [reading('hush', 'payroll'), reading('open', 'main."Singers"')];
    const over = { ...session, semantics: { ...semantics, metrics } };
    const { definitions } = assembleContext(over, { sharing: 'all' });
    expect(definitions.join()).not.toContain('payroll');
    expect(definitions.join()).toContain('open');
  });

  it('tells nobody what people wrote of a table that is hidden from whoever asks', () => {
    const { semantics, authored, config } = session;
    const [term] = semantics.datasets;
    const over = changedSession(session, {
      hiddenTables: new Set(['secret_pay']),
      semantics: {
        ...semantics,
        instructions: 'Write short queries.\nNever join Secret_Pay.',
        datasets: semantics.datasets.map((dataset) =>
          dataset === term ? { ...dataset, description: 'Paid as secret pay says.' } : dataset,
        ),
      },
      authored: {
        ...authored,
        jargon: [
          { term: 'semj', meaning: 'secret_pay.amount', place: 'j:1' },
          { term: 'gig', meaning: 'a concert, not a secret_payment', place: 'j:2' },
        ],
        notes: [{ ...authored.notes[0]!, text: 'SECRET PAY counts by month.' }],
      },
    });
    for (const sharing of ['all', 'private'] as const) {
      const context = assembleContext(over, { sharing });
      const told = [context.schema(), ...context.definitions, ...context.notes].join('\n');
      expect(told).not.toMatch(/secret[_ ]pay(?!ment)/i);
      expect(told).toContain('a concert, not a secret_payment');
    }
    expect(instructionsOf({ ...over, config })).toBe('Write short queries.');
    // The test could fail: all of it is told where nothing is hidden.
    const open = assembleContext({ ...over, hiddenTables: new Set() }, { sharing: 'all' });
    expect(
      [open.schema(), ...open.definitions, ...open.notes].join('\n').match(/secret[_ ]pay(?!ment)/gi),
    ).toHaveLength(3);
  });

  it.each([
    ['where all fits', undefined],
    ['where not all fits', 1_000],
  ])('tells no note that is about a hidden table as well, %s', async (_, contextWindow) => {
    const { authored } = session;
    const [note] = authored.notes;
    const mixed = { ...note!, id: 'm', text: 'Singers are paid by payroll.', tables: ['singers', 'payroll'] };
    const column = { ...note!, id: 'c', text: 'Pay is in cents.', columns: ['payroll.pay'] };
    const over = { ...session, authored: { ...authored, notes: [note!, mixed, column] } };
    const { linked, retrieved } = await linkQuestion('How many singers?', await linkingOf(session));
    const context = assembleContext(over, { linked, retrieved, sharing: 'all', contextWindow });
    expect(context.notes).toEqual([note!.text]);
  });

  it('leaves out what names columns that are not there, and says so', () => {
    const { semantics } = session;
    const [metric] = semantics.metrics;
    const wrong = { ...metric!, name: 'profit', expression: 'SUM(concerts.gain)' };
    const over = { ...session, semantics: { ...semantics, metrics: [...semantics.metrics, wrong] } };
    const { definitions, cuts } = assembleContext(over, { sharing: 'all' });
    expect(definitions.join()).not.toContain('profit');
    expect(cuts).toEqual(['1 of 2 metrics left out: they name columns that are not in view']);
  });

  it('has notes of a person and of an area where retrieval gives them, and not otherwise', () => {
    const [note] = session.authored.notes;
    const own = { ...note!, text: 'In euros, please.', user: 'ana' };
    const ofArea = { ...note!, text: 'Only open ones.', areas: ['sales'] };
    const over = { ...session, authored: { ...session.authored, notes: [note!, own, ofArea] } };
    const found = { item: own, score: 1, because: [] };
    const nothing = { tables: [], columns: [], values: [], examples: [], metrics: [], dimensions: [] };
    const retrieved: Retrieved = { ...nothing, notes: [found], jargon: [], truncations: [], warnings: [] };
    expect(assembleContext(over, { sharing: 'all' }).notes).toEqual(['Ages are of today.']);
    expect(assembleContext(over, { retrieved, sharing: 'all' }).notes).toEqual([
      'Ages are of today.',
      'In euros, please.',
    ]);
  });

  it('holds no value in private mode, and keeps what people wrote', () => {
    const context = assembleContext(session, { question: 'Singers from Wakanda', sharing: 'private' });
    const schema = context.schema();
    expect(schema).not.toMatch(/one of |e\.g\. /);
    expect(schema).not.toContain('France');
    expect(context.definitions).toContain('singers.country: "France" is French');
    expect(context.values).toEqual([]);
  });

  it.each([
    ['Singers from Wakanda', ['“Wakanda”: nothing stored is like it']],
    ['How many singers come from France?', []],
    ['How many singers are there? Split by country.', []],
    ['Concerts in May 2024', []],
  ])('says which names are stored nowhere: %s', (question, values) => {
    expect(assembleContext(session, { question, sharing: 'all' }).values).toEqual(values);
  });
});
