import { expect, it } from 'vitest';
import { TryCounter } from './people.ts';

it('has room for so many in a window, together or one by one', () => {
  const counter = new TryCounter(3, 1000);
  expect([counter.isUsedUp('ada', 0, 3), counter.isUsedUp('ada', 0, 4)]).toEqual([false, true]);
  counter.add('ada', 0, 2);
  expect([counter.isUsedUp('ada', 999), counter.isUsedUp('ada', 999, 2)]).toEqual([false, true]);
  expect(counter.isUsedUp('bob', 999, 3)).toBe(false);
  expect(counter.isUsedUp('ada', 1000, 3)).toBe(false);
});

it('with no room at all has none for the first', () => {
  expect(new TryCounter(0, 1000).isUsedUp('ada', 0)).toBe(true);
});
