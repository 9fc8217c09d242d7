import { expect, it } from 'vitest';
import { CostCounter } from '../calls/cost-counter.ts';
import {
  announced,
  keepReplies,
  recordCalls,
  traced,
  withRetries,
  withSlots,
} from '../calls/open-session-model.ts';
import { startBudget } from '../calls/start-budget.ts';
import type { ChatReply, LanguageModel } from './language-model.ts';

/** Its methods stand on the prototype: a spread would lose them. */
class OwnModel implements LanguageModel {
  readonly id = 'own/model';
  readonly contextWindow = 100;
  readonly host = 'there';
  readonly contract = 'short';
  readonly price = { prompt: 1, completion: 2 };
  readonly isPrivate = true;
  isClosed = false;

  async chat(): Promise<ChatReply> {
    return { text: this.id, toolCalls: [], usage: { promptTokens: 1, completionTokens: 1 } };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

const AROUND: readonly (readonly [string, (model: LanguageModel) => LanguageModel])[] = [
  ['announced', announced],
  ['counted', (model) => new CostCounter().counted(model)],
  ['kept', (model) => keepReplies(model, { directory: 'unused' })],
  ['recorded', (model) => recordCalls(model, 'unused')],
  ['bounded', startBudget({ calls: 1, tokens: 100 })],
  ['traced', (model) => traced(model)],
  [
    'tried again',
    (model) => withRetries(model, { tries: 1, firstPauseMs: 1, longestPauseMs: 1, timeoutMs: 1_000 }),
  ],
  ['one of few', (model) => withSlots(model, 1)],
];

it.each(AROUND)(
  'a model that is %s is the same to whoever asks it, and is closed with it',
  async (_, around) => {
    const own = new OwnModel();
    const model = around(own);
    const { id, contextWindow, host, price, isPrivate } = own;
    expect(model).toMatchObject({ id, contextWindow, host, price, isPrivate });
    await model.close?.();
    expect(own.isClosed).toBe(true);
  },
);
