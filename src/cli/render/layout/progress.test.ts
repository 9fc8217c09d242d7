import { expect, it } from 'vitest';
import { makeProgress } from './progress.ts';

function capture(isTerminal: boolean) {
  const written: string[] = [];
  return { written, output: { write: (text: string) => void written.push(text), isTerminal, columns: 40 } };
}

const EVENTS = [
  { stage: 'profiles', done: 0, total: 4 },
  { stage: 'profiles', done: 2, total: 4, table: 'orders', etaSeconds: 3.2 },
  { stage: 'notice', done: 0, total: 0, message: 'the view v is left out' },
  { stage: 'indexing', done: 4, total: 4 },
];

it('draws one line in place on a terminal and clears it', () => {
  const { written, output } = capture(true);
  const progress = makeProgress(output, false);
  for (const event of EVENTS) progress.report(event);
  progress.clear();
  progress.clear();
  expect(written).toEqual([
    '\r\u001b[2Kprofiling 0 %',
    '\r\u001b[2Kthe view v is left out\n',
    '\r\u001b[2Kindexing 100 %',
    '\r\u001b[2K',
  ]);
});

it('writes one line per stage into a pipe, and nothing when quiet', () => {
  const { written, output } = capture(false);
  for (const event of EVENTS) makeProgress(output, true).report(event);
  expect(written).toEqual([]);
  const progress = makeProgress(output, false);
  for (const event of EVENTS) progress.report(event);
  expect(written).toEqual(['profiling …\n', 'the view v is left out\n', 'indexing …\n']);
});

it('keeps a table name from moving the cursor', () => {
  const { written, output } = capture(true);
  makeProgress(output, false).report({ stage: 'profiling', done: 1, total: 1, table: 'a\u001b[2Jb' });
  expect(written[0]!.slice(5)).toBe('profiling 100 % a\\x1b[2Jb');
});
