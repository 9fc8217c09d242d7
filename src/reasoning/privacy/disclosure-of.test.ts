import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../test/models/scripted-model.ts';
import type { Disclosure } from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import type { ChatRequest } from '../../model/index.ts';
import { dataBlock } from '../llm/prompts/blocks/data-block.ts';
import { disclosing, disclosureOf } from './disclosing.ts';

const REQUEST: ChatRequest = {
  role: 'write',
  messages: [
    { role: 'system', content: 'twelve chars' },
    {
      role: 'user',
      content: [
        dataBlock('schema', 'CREATE TABLE orders (\n  id INTEGER\n);\n# Table: shops, where they are\n[\n]'),
        dataBlock('question', 'how many?'),
        'Turn 1.',
      ].join('\n'),
    },
    { role: 'assistant', content: 'thinking' },
    { role: 'tool', toolCallId: 'c', content: dataBlock('answer', 'table clients: id, name') },
  ],
};

describe('what a request discloses', () => {
  it('is its blocks by name, with characters, tables, and whether cells could stand in them', () => {
    expect(disclosureOf(REQUEST)).toEqual({
      role: 'write',
      promptVersion: expect.any(Number),
      tables: ['orders', 'shops', 'clients'],
      blocks: [
        { name: 'outside', characters: 19, mayHoldValues: false },
        { name: 'schema', characters: 72, mayHoldValues: true },
        { name: 'question', characters: 9, mayHoldValues: false },
        { name: 'said before', characters: 8, mayHoldValues: false },
        { name: 'answer', characters: 23, mayHoldValues: true },
      ],
    });
    expect(disclosureOf(REQUEST, true).blocks.some(({ mayHoldValues }) => mayHoldValues)).toBe(false);
  });

  it('is noted where no reply came, and not where it was held back', async () => {
    const noted: Disclosure[] = [];
    const failing = [
      new CandorError('model.unreachable', 'x'),
      new CandorError('model.would-leak', 'x'),
      'yes',
    ];
    const model = disclosing({ ...scriptedModel(failing), host: 'api.test' }, (call) => noted.push(call));
    for (let call = 0; call < 3; call += 1) await model.chat(REQUEST).catch(() => undefined);
    expect(noted.map(({ outcome, host }) => `${outcome} ${host}`)).toEqual([
      'failed api.test',
      'replied api.test',
    ]);
  });
});
