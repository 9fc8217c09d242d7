import { expect, it } from 'vitest';
import { broken, writeQuestion } from '../fixtures/prompts/writing.ts';
import { scriptedWriter } from './scripted-writer.ts';

it('says its script in order, counts every call, and fails on a call too many', async () => {
  const question = writeQuestion();
  const writer = scriptedWriter({
    write: ['SELECT 1', { missing: 'prices', because: 'there are none' }],
    fix: ['SELECT 2', new Error('down')],
    passes: (sql) => sql === 'SELECT 2',
  });
  const draw = { method: 'direct', temperature: 0 } as const;
  expect(await writer.write(question, { ...draw, index: 0 })).toMatchObject({ sql: 'SELECT 1' });
  expect(await writer.write(question, { ...draw, index: 1 })).toMatchObject({ missing: 'prices' });
  await expect(writer.write(question, { ...draw, index: 2 })).rejects.toThrow('write was not expected');
  expect(await writer.fix(question, broken)).toMatchObject({ sql: 'SELECT 2' });
  await expect(writer.fix(question, broken)).rejects.toThrow('down');
  await expect(writer.fix(question, broken)).rejects.toThrow('fix was not expected');
  expect(await writer.judgeTests(question, [{ sql: 'SELECT 1' }, { sql: 'SELECT 2' }], ['a'])).toEqual([
    [false],
    [true],
  ]);
  expect(await writer.research(question, { turn: 1, callsLeft: 8, broken, turns: [] })).toEqual([]);
  expect(writer.seen.map(({ role }) => role)).toEqual(question.ledger.entries.map(({ role }) => role));
  expect(writer.seen[3]).toMatchObject({ role: 'fix', given: broken });
});
