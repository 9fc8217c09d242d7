import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import { CandorError } from '../../errors.ts';
import { TokenLedger } from '../../model/index.ts';
import { askForJson } from './ask-for-json.ts';

const REPLY = z.object({ names: z.array(z.string()).max(3) });
const SECRET = 'a row of the database';

async function ask(script: Script, more: { readonly signal?: AbortSignal; readonly check?: boolean } = {}) {
  const model = scriptedModel(script);
  const ledger = new TokenLedger();
  const task = {
    role: 'name things',
    messages: [{ role: 'user' as const, content: 'Name things.' }],
    reply: REPLY,
    sampling: { temperature: 0, maxTokens: 100 },
    ...(more.check && {
      check: ({ names }: z.infer<typeof REPLY>) => (names.length === 0 ? 'there is no name' : undefined),
    }),
  };
  const outcome = await askForJson(model, task, { ledger, signal: more.signal }).catch(
    (error: unknown) => error,
  );
  return { outcome, model, ledger };
}

describe('asking for JSON', () => {
  it('gives what fits, asked once, and counts the tokens under the role', async () => {
    const { outcome, model, ledger } = await ask(['{"names": ["a"]}']);
    expect(outcome).toEqual({ names: ['a'] });
    expect(model.requests.length).toBe(1);
    expect(model.requests[0]).toMatchObject({ temperature: 0, maxTokens: 100 });
    expect(model.requests[0]?.replySchema).toMatchObject({ type: 'object', required: ['names'] });
    expect(ledger.entries.map(({ role }) => role)).toEqual(['name things']);
  });

  it('takes the last JSON that fits: drafts come before the answer', async () => {
    const { outcome } = await ask(['{"names": ["draft"]} no: {"names": ["final"]} {"mood": "good"}']);
    expect(outcome).toEqual({ names: ['final'] });
  });

  it('sends a reply back once with what was wrong', async () => {
    const { outcome, model, ledger } = await ask(['{"names": [1]}', '{"names": ["a"]}']);
    expect(outcome).toEqual({ names: ['a'] });
    const [, second] = model.requests;
    expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(second?.messages.at(-1)?.content).toContain('names[0]: Invalid input: expected string');
    const counted = ledger.entries.reduce(
      (sum, entry) => sum + entry.promptTokens + entry.completionTokens,
      0,
    );
    expect(ledger.entries.length).toBe(2);
    expect(ledger.total).toBe(counted);
  });

  it('sends back what has the right form and the wrong content', async () => {
    const { outcome, model } = await ask(['{"names": []}', '{"names": ["a"]}'], { check: true });
    expect(outcome).toEqual({ names: ['a'] });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('there is no name');
  });

  it.each([
    ['no JSON', 'I would rather not.', 'there is no JSON object in the reply'],
    ['nothing', '', 'the reply is empty'],
    ['a huge reply', `{"names": ["${'x'.repeat(500_000)}"]}`, 'longer than 400000 characters'],
    ['wrong types', '{"names": {"a": "b"}}', 'names: Invalid input: expected array, received object'],
    ['too many', '{"names": ["a", "b", "c", "d"]}', 'names: Too big'],
    ['deep nesting', `{"names": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested deeper than 32'],
    ['a prototype for a list', '{"__proto__": {"names": ["a"]}}', 'names: Invalid input'],
    ['half a reply', '{"names": ["a", "b', 'begun and not ended'],
  ])('refuses %s after the second time', async (_, reply, problem) => {
    const { outcome, model, ledger } = await ask([reply, reply]);
    expect(outcome).toBeInstanceOf(CandorError);
    expect(outcome).toMatchObject({ code: 'model.invalid-reply' });
    expect(String(outcome)).toContain(problem);
    expect(ledger.entries.length).toBe(2);
    // What is sent again of a reply, and what is kept, has a bound.
    expect(textOf(model.requests[1] ?? { messages: [] }).length).toBeLessThan(2_500);
  });

  it('keeps no more than the beginning of a reply', async () => {
    const { outcome } = await ask(['no', `${'x'.repeat(200)} ${SECRET}`]);
    expect(JSON.stringify([String(outcome), outcome instanceof CandorError && outcome.data])).not.toContain(
      SECRET,
    );
  });

  it('stops before the next call when it is cancelled', async () => {
    const stop = new AbortController();
    const { outcome, model } = await ask(
      () => {
        stop.abort();
        return 'not JSON';
      },
      { signal: stop.signal },
    );
    expect(outcome).toMatchObject({ code: 'model.cancelled' });
    expect(model.requests.length).toBe(1);
    expect(model.requests[0]?.signal).toBe(stop.signal);
  });

  it('lets failures of the model through', async () => {
    const { outcome } = await ask([new CandorError('model.unreachable', 'down')]);
    expect(outcome).toMatchObject({ code: 'model.unreachable' });
  });
});
