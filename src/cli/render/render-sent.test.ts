import { expect, it } from 'vitest';
import type { Disclosure } from '../../answer.ts';
import { makeStyle } from './layout/text-layout.ts';
import { renderSent } from './render-sent.ts';

const call = (more: Partial<Disclosure>, mayHoldValues = false): Disclosure => ({
  ...{ role: 'write', model: 'm@api.test', host: 'api.test', promptTokens: 812, completionTokens: 9 },
  blocks: [
    { name: 'outside', characters: 30, mayHoldValues: false },
    { name: 'schema', characters: 2_000, mayHoldValues },
  ],
  ...{ tables: ['orders'], outcome: 'replied' },
  ...more,
});

it.each([
  ['no call', [], 'No language model was asked: nothing left this machine.'],
  ['a model in this process', [call({ host: null }, true)], 'Nothing left this machine.'],
  ['a recording', [call({ outcome: 'replayed' }, true)], 'Nothing left this machine.'],
  ['private mode', [call({})], 'No block could hold values of the database.'],
  ['no private mode', [call({}), call({ role: 'fix' }, true)], 'Blocks marked * can hold values'],
] as const)('%s', (_, sent, said) => {
  const text = renderSent(sent, { style: makeStyle(false), width: 120 });
  expect(text).toContain(said);
  if (sent.length > 0)
    expect(text).toMatch(/write\s+(?:api\.test|this machine)\s+\w+\s+812\s+schema\*? 2000/);
});
