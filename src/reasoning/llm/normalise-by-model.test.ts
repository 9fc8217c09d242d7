import { describe, expect, it } from 'vitest';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import { TokenLedger } from '../../model/index.ts';
import type { NormaliseQuestion } from '../roles/normalise-reasoner.ts';
import { normaliseByModel } from './normalise-by-model.ts';

function setUp(script: Script, text = 'Umsatz in "Köln" 2024') {
  const model = scriptedModel(script);
  const question: NormaliseQuestion = {
    text,
    databaseLanguage: 'en',
    about: ['orders of a shop'],
    ledger: new TokenLedger(),
    signal: undefined,
  };
  return { model, question, reasoner: normaliseByModel(model) };
}

describe('validation by a model', () => {
  it.each([
    ['{"validity": "ok", "because": "", "language": "DE"}', 'ok', 'de'],
    ['{"validity": "ok", "language": "en-GB"}', 'ok', 'en'],
    ['{"validity": "gibberish", "because": "no words", "language": "none at all"}', 'gibberish', 'und'],
    ['{"validity": "out-of-scope", "because": "a poem", "language": null}', 'out-of-scope', 'und'],
  ])('%s', async (reply, validity, language) => {
    const { question, reasoner } = setUp([reply]);
    expect(await reasoner.validate(question)).toMatchObject({ validity, language });
  });

  it('knows the outcomes of a validator only', async () => {
    const { question, reasoner } = setUp(Array(2).fill('{"validity": "DROP TABLE", "because": ""}'));
    await expect(reasoner.validate(question)).rejects.toMatchObject({ code: 'model.invalid-reply' });
  });
});

describe('translation by a model', () => {
  it('gives the text', async () => {
    const { question, reasoner, model } = setUp([
      '{"isTranslated": true, "text": " revenue in \\"Köln\\" 2024 ", "because": null}',
    ]);
    expect(await reasoner.translate(question)).toEqual({
      isTranslated: true,
      text: 'revenue in "Köln" 2024',
    });
    expect(model.requests[0]?.temperature).toBe(0);
  });

  it('asks again for a literal that was lost', async () => {
    const { question, reasoner, model } = setUp([
      '{"isTranslated": true, "text": "revenue in Cologne 2024", "because": null}',
      '{"isTranslated": true, "text": "revenue in Köln 2024", "because": null}',
    ]);
    expect(await reasoner.translate(question)).toMatchObject({ text: 'revenue in Köln 2024' });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('"Köln" of the question is not in it');
  });

  it('says why there is none', async () => {
    const { question, reasoner } = setUp([
      '{"isTranslated": false, "text": "", "because": "no known language"}',
    ]);
    expect(await reasoner.translate(question)).toEqual({
      isTranslated: false,
      because: 'no known language',
    });
  });

  it('does not take an empty text for a translation', async () => {
    const { question, reasoner } = setUp(Array(2).fill('{"isTranslated": true, "text": " "}'), 'Umsatz');
    await expect(reasoner.translate(question)).rejects.toMatchObject({ code: 'model.invalid-reply' });
  });
});

describe('keywords by a model', () => {
  it('keeps literals letter by letter, whatever the model made of them', async () => {
    const { question, reasoner, model } = setUp(['{"keywords": ["revenue", "city = Cologne", "year 2024"]}']);
    expect(await reasoner.keywords(question)).toEqual(['Köln', 'revenue', 'city = Cologne', 'year 2024']);
    expect(model.requests[0]?.temperature).toBe(0.2);
  });

  it('cuts what is too long for a keyword', async () => {
    const { question, reasoner } = setUp([JSON.stringify({ keywords: ['x'.repeat(10_000)] })], 'x');
    expect((await reasoner.keywords(question)).map(({ length }) => length)).toEqual([200]);
  });
});

describe('stand-alone questions by a model', () => {
  it('needs no model where nothing was asked before', async () => {
    const { question, reasoner, model } = setUp([]);
    expect(await reasoner.standAlone(question, [])).toBe(question.text);
    expect(model.requests.length).toBe(0);
  });

  it('shows the last questions', async () => {
    const { question, reasoner, model } = setUp(
      ['{"question": "revenue by region in 2024"}'],
      'and by region?',
    );
    const history = Array.from({ length: 9 }, (_, at) => `question number ${at}`);
    expect(await reasoner.standAlone(question, history)).toBe('revenue by region in 2024');
    const text = textOf(model.requests[0] ?? { messages: [] });
    expect(text).toContain('question number 8');
    expect(text).not.toContain('question number 2');
  });

  it.each([
    [false, "city = 'Lyon'"],
    [true, 'city = :text'],
  ])('shows the query that stands, without its literals in private mode: %s', async (isPrivate, shown) => {
    const { question, model } = setUp(
      ['{"question": "names of customers in Lyon since 2024"}'],
      'only since 2024',
    );
    const reasoner = normaliseByModel(isPrivate ? { ...model, isPrivate } : model);
    const sql = "SELECT name FROM customers WHERE city = 'Lyon'";
    expect(await reasoner.standAlone(question, [], sql)).toBe('names of customers in Lyon since 2024');
    const text = textOf(model.requests[0] ?? { messages: [] });
    expect(text).toContain(shown);
    expect(text.includes('Lyon')).toBe(!isPrivate);
  });

  it.each(['""', JSON.stringify('x'.repeat(2_001))])('is a question, and not %#', async (text) => {
    const { question, reasoner } = setUp(Array(2).fill(`{"question": ${text}}`));
    await expect(reasoner.standAlone(question, ['revenue?'])).rejects.toMatchObject({
      code: 'model.invalid-reply',
    });
  });
});
