import { describe, expect, it } from 'vitest';
import { writeQuestion } from '../../../test/fixtures/prompts/writing.ts';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import { TokenLedger } from '../../model/index.ts';
import { benchByModel } from './bench-by-model.ts';

const said = (question: string) => JSON.stringify({ question });

function asked(script: Script, fault: (words: string) => string | undefined = () => undefined) {
  const model = scriptedModel(script);
  const question = { text: 'deals by city', kept: ['city'], avoided: ['dealer'], fault };
  return { model, bench: benchByModel(model), question: { ...question, ledger: new TokenLedger() } };
}

describe('a question in other words', () => {
  it('comes on one line, after one call that says what stays and what is not said', async () => {
    const { bench, question, model } = asked([said('  How many deals\n per city? ')]);
    expect(await bench.reword(question)).toBe('How many deals per city?');
    expect(question.ledger.entries.map(({ role }) => role)).toEqual(['reword']);
    expect(textOf(model.requests[0]!)).toMatch(
      /texts that stay\n1\. city\n[\s\S]+texts not to say\n- dealer\n/,
    );
  });

  it('has its fault told once, then is given up', async () => {
    const fault = (words: string) => (words.includes('city') ? undefined : 'text 1 is lost');
    const mended = asked([said('deals per town'), said('deals per city')], fault);
    expect(await mended.bench.reword(mended.question)).toBe('deals per city');
    expect(mended.model.requests[1]?.messages.at(-1)?.content).toContain('text 1 is lost');
    const never = asked(() => said('deals per town'), fault);
    await expect(never.bench.reword(never.question)).rejects.toMatchObject({ code: 'model.invalid-reply' });
    expect(never.model.requests).toHaveLength(2);
  });

  it.each([
    ['nothing', ' \n '],
    ['characters that cannot be seen', 'deals per city\u202E?'],
    ['an essay', `deals per city ${'x'.repeat(600)}`],
  ])('is not %s', async (_, words) => {
    const { bench, question } = asked(() => said(words));
    await expect(bench.reword(question)).rejects.toMatchObject({ code: 'model.invalid-reply' });
  });
});

describe('the verdict on a query', () => {
  it('has a reason, and a seed of its own', async () => {
    const { bench, model } = asked([
      '{"because": "no such\\n column", "answers": false}',
      '{"answers": true}',
    ]);
    const question = writeQuestion();
    expect(await bench.accept(question, 'SELECT 7', 0)).toEqual({
      isAccepted: false,
      because: 'no such column',
    });
    expect(await bench.accept(question, 'SELECT 7', 1)).toEqual({ isAccepted: true, because: '' });
    expect(model.requests.map(({ seed }) => seed)).toEqual([0, 1]);
    for (const text of model.requests.map(textOf))
      expect(text).toMatch(/orders[\s\S]+How many orders said "yes"[\s\S]+SELECT 7/);
  });

  it.each(['{"answers": "yes"}', '{"because": "it does"}', 'yes'])('is none in %s', async (reply) => {
    const { bench } = asked(() => reply);
    await expect(bench.accept(writeQuestion(), 'SELECT 7', 0)).rejects.toMatchObject({
      code: 'model.invalid-reply',
    });
  });
});
