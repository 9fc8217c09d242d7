import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { CandorError } from '../../errors.ts';
import { TokenLedger } from '../../model/index.ts';
import type { NormaliseQuestion, NormaliseReasoner } from '../../reasoning/roles/normalise-reasoner.ts';
import { type NormaliseRequest, normalise } from './normalise.ts';

const HISTORY = ['How many orders were there in 2023?'];

/** A model that finds every question fine, but for what a test gives. */
function reasonerOf(given: Partial<NormaliseReasoner> = {}) {
  const asked: [role: string, text: string][] = [];
  const noted = <Reply>(role: string, { text, ledger }: NormaliseQuestion, reply: Reply): Promise<Reply> => {
    asked.push([role, text]);
    ledger.add(role, { promptTokens: 10, completionTokens: 1 });
    return Promise.resolve(reply);
  };
  const reasoner: NormaliseReasoner = {
    kind: 'model',
    validate: (question) => noted('validate', question, { validity: 'ok', because: '', language: 'en' }),
    translate: (question) =>
      noted('translate', question, { isTranslated: true, text: `EN ${question.text}` }),
    keywords: (question) => noted('keywords', question, ['revenue', 'revenue', 'the']),
    standAlone: (question, history) => noted('standAlone', question, `${history.at(-1)} ${question.text}`),
    ...given,
  };
  return { reasoner, asked };
}

const failing = (): Promise<never> =>
  Promise.reject(new CandorError('model.unreachable', 'no answer from m'));

describe('without a model', () => {
  it('a plain question stays as it is, with its keywords', async () => {
    expect(await normalise('  Revenue of "Acme AG" by month? ')).toEqual({
      ...{
        validity: 'ok',
        because: '',
        language: 'en',
        isTranslated: false,
        isRewritten: false,
        warnings: [],
      },
      ...{ original: 'Revenue of "Acme AG" by month?', question: 'Revenue of "Acme AG" by month?' },
      quoted: ['Acme AG'],
      keywords: expect.arrayContaining(['Acme AG', 'Revenue', 'month']),
    });
  });

  it('is read as answering reads it: on one line, without control characters, accents composed', async () => {
    const { original, question } = await normalise(' how\r\n many\u00a0 cafe\u0301s\u0007\u001b[31m ? ');
    expect([original, question]).toEqual(['how many cafés [31m ?', 'how many cafés [31m ?']);
    expect((await normalise(`${' '.repeat(100_000)}how many orders${'\n'.repeat(100_000)}`)).validity).toBe(
      'ok',
    );
  });

  it.each(['measure '.repeat(12_500), `orders ${'-'.repeat(100_000)}x`, `orders ${'?'.repeat(100_000)}x`])(
    'is refused beyond 2,000 characters, as answering refuses it',
    async (text) => {
      await expect(codeOf(normalise(text))).resolves.toBe('question.too-long');
      await expect(codeOf(normalise('by month', { history: [text] }))).resolves.toBe('question.too-long');
      expect((await normalise('a'.repeat(2_000))).original).toHaveLength(2_000);
    },
  );

  it('a foreign one is kept, and that is said', async () => {
    const found = await normalise('Wie viele Kunden haben wir in Bayern?', { history: HISTORY });
    expect(found).toMatchObject({ validity: 'ok', language: 'de', isTranslated: false, isRewritten: false });
    expect(found.question).toBe(found.original);
    expect(found.warnings).toEqual([
      'not translated: it reads as “de”, the database as “en”, and only a language model can translate',
    ]);
    expect(found.keywords).toEqual(expect.arrayContaining(['Kunden', 'Bayern']));
    expect(found.keywords).not.toContain('wir');
  });

  it('a part of a question is put together with the one before', async () => {
    const found = await normalise('and by region?', { history: HISTORY });
    expect(found).toMatchObject({
      isRewritten: true,
      question: 'How many orders were there in 2023 by region?',
    });
    expect(found.keywords).toEqual(expect.arrayContaining(['orders', 'region', '2023']));
  });

  it('a word that points back is a warning', async () => {
    const { warnings, question } = await normalise('list their names', { history: HISTORY });
    expect(question).toBe('list their names');
    expect(warnings).toEqual(['“their” points to an earlier question: rules cannot tell to what']);
  });

  it('what is no question is refused, with the reason', async () => {
    const found = await normalise('asdfgh', { history: HISTORY });
    expect(found).toMatchObject({ validity: 'gibberish', keywords: [] });
    expect(found.because).not.toBe('');
  });
});

describe('with a model', () => {
  it('asks it in turn, and every call is in the ledger', async () => {
    const { reasoner, asked } = reasonerOf();
    const ledger = new TokenLedger();
    const found = await normalise('by region', { reasoner, ledger, history: HISTORY });
    expect(asked).toEqual([
      ['validate', 'by region'],
      ['standAlone', 'by region'],
      ['keywords', `${HISTORY[0]} by region`],
    ]);
    expect(found).toMatchObject({ isRewritten: true, keywords: ['revenue'], warnings: [] });
    expect(ledger.total).toBe(33);
  });

  it('translates, keeps quoted texts, and looks up both languages', async () => {
    const { reasoner } = reasonerOf({
      validate: () => Promise.resolve({ validity: 'ok', because: '', language: 'de' }),
      translate: () => Promise.resolve({ isTranslated: true, text: 'Revenue of "Blue House" by month' }),
    });
    const found = await normalise('Umsatz von "Blaues Haus" pro Monat', { reasoner });
    expect(found).toMatchObject({
      language: 'de',
      isTranslated: true,
      question: 'Revenue of "Blue House" by month',
    });
    expect(found.keywords).toEqual(
      expect.arrayContaining(['Blaues Haus', 'Blue House', 'revenue', 'Umsatz', 'Monat']),
    );
    expect(found.keywords).not.toContain('pro');
    expect(found.quoted).toEqual(['Blue House', 'Blaues Haus']);
    expect(found.warnings).toEqual([
      '“Blaues Haus” is not in the translation: it is looked up as it was written',
    ]);
  });

  it.each<[string, Partial<NormaliseReasoner>, string, string]>([
    [
      'what it finds out of scope',
      {
        validate: () =>
          Promise.resolve({ validity: 'out-of-scope', because: 'About cooking.', language: 'en' }),
      },
      'out-of-scope',
      'About cooking.',
    ],
    [
      'what it cannot translate',
      {
        validate: () => Promise.resolve({ validity: 'ok', because: '', language: 'xx' }),
        translate: () => Promise.resolve({ isTranslated: false, because: 'Unknown words.' }),
      },
      'translation-failed',
      'Unknown words.',
    ],
    [
      'an empty translation',
      {
        validate: () => Promise.resolve({ validity: 'ok', because: '', language: 'de' }),
        translate: () => Promise.resolve({ isTranslated: true, text: ' ' }),
      },
      'translation-failed',
      'The translation is empty or too long.',
    ],
  ])('refuses %s', async (_, given, validity, because) => {
    const { reasoner } = reasonerOf(given);
    expect(await normalise('Was ist das?', { reasoner })).toMatchObject({ validity, because, keywords: [] });
  });

  it('does not find a part of a conversation meaningless', async () => {
    const validate = () =>
      Promise.resolve({ validity: 'meaningless', because: 'No verb.', language: 'en' } as const);
    const { reasoner } = reasonerOf({ validate });
    expect((await normalise('by region', { reasoner, history: HISTORY })).validity).toBe('ok');
    expect((await normalise('by region', { reasoner })).validity).toBe('meaningless');
  });

  it('goes on with the rules where a call fails, and says so', async () => {
    const all = { validate: failing, translate: failing, keywords: failing, standAlone: failing };
    const { reasoner } = reasonerOf(all);
    const found = await normalise('and by region?', { reasoner, history: HISTORY });
    expect(found).toMatchObject({
      validity: 'ok',
      question: 'How many orders were there in 2023 by region?',
    });
    expect(found.warnings).toEqual([
      'it was not validated: no answer from m',
      'rules made it stand alone: no answer from m',
      'built-in keywords: no answer from m',
    ]);
    const foreign = await normalise('Umsatz pro Monat', { reasoner });
    expect(foreign).toMatchObject({ validity: 'ok', language: 'de', isTranslated: false });
    expect(foreign.warnings).toContain('not translated: no answer from m');
  });

  it('does not believe an empty or endless reply', async () => {
    for (const reply of ['', 'x'.repeat(2_001)]) {
      const { reasoner } = reasonerOf({
        standAlone: () => Promise.resolve(reply),
        keywords: () => Promise.resolve([]),
      });
      const found = await normalise('and by region?', { reasoner, history: HISTORY });
      expect(found.question).toBe('How many orders were there in 2023 by region?');
      expect(found.warnings).toHaveLength(1);
      expect(found.keywords).toContain('region');
    }
  });

  it.each<[string, () => NormaliseRequest]>([
    ['before it starts', () => ({ signal: AbortSignal.abort() })],
    [
      'while it asks',
      () => {
        const stop = new AbortController();
        const validate = () => {
          stop.abort();
          return failing();
        };
        return { signal: stop.signal, reasoner: reasonerOf({ validate }).reasoner };
      },
    ],
    [
      'by the model',
      () => ({
        reasoner: reasonerOf({
          keywords: () => Promise.reject(new CandorError('model.cancelled', 'stopped')),
        }).reasoner,
      }),
    ],
  ])('throws when it is cancelled %s', async (_, request) =>
    expect(await codeOf(normalise('revenue', request()))).toBe('linking.cancelled'),
  );

  it('does not hide a bug', async () => {
    const { reasoner } = reasonerOf({ validate: () => Promise.reject(new TypeError('broken')) });
    await expect(normalise('revenue', { reasoner })).rejects.toThrow('broken');
  });
});
