/** Everything `candor fix` says of a query: what is wrong, the query that is better, why, and what is left. */

import type { Fix, FixOffer } from '../../../answering/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import type { Problem } from '../../../validation/index.ts';
import { lineDiff } from '../layout/line-diff.ts';
import type { Style } from '../layout/text-layout.ts';

export function renderFix(fix: Fix, style: Style): string {
  const { sql, problems, repaired, changes, left, offers = [], ok, next } = fix;
  if (problems.length === 0) return 'Nothing is wrong with it by schema, values and engine.\n';
  const blocks = [problems.map((problem) => problemLine(problem, style)).join('\n')];
  if (repaired !== undefined) {
    const diff = lineDiff(sql, repaired).map(({ mark, text }) => {
      const line = `${mark} ${escapeControl(text)}`;
      return mark === '-' ? style.red(line) : mark === '+' ? style.green(line) : line;
    });
    blocks.push(diff.join('\n'));
    const because = changes.map((change) => `  ${style.bold(change.kind)}  ${escapeControl(change.because)}`);
    blocks.push(`Changed:\n${because.join('\n')}`);
  }
  if (offers.length === 0 || repaired !== undefined) blocks.push(lastBlock({ repaired, left, ok }, style));
  if (offers.length > 0) blocks.push(offersBlock(offers, style));
  if (next !== undefined) blocks.push(`Next: ${escapeControl(next)}`);
  return `${blocks.join('\n\n')}\n`;
}

/** Each possibility with its whole query, to be copied. */
function offersBlock(offers: readonly FixOffer[], style: Style): string {
  const lines = offers.map(({ sql, means }, at) => {
    const query = escapeControlKeepingLines(sql).replace(/^/gm, '     ');
    return `  ${style.bold(`${at + 1}.`)} ${escapeControl(means)}\n${query}`;
  });
  return `May be meant (nothing of it is taken):\n${lines.join('\n')}`;
}

function lastBlock(
  { repaired, left, ok }: Pick<Fix, 'left' | 'ok'> & { readonly repaired: string | undefined },
  style: Style,
): string {
  if (left.some(({ kind }) => kind === 'system-table')) return 'No table takes its place.';
  if (repaired === undefined && left.every(({ kind }) => kind === 'engine'))
    return 'Nothing is wrong with the text of the query by schema, values and the engine that was asked here.';
  if (repaired === undefined) return ok ? 'It would run; no rule changes it.' : 'No rule knows a repair.';
  if (left.length === 0)
    return 'Nothing is left. It was not run: whether it answers the question is for you to judge.';
  return `Left:\n${left.map((problem) => problemLine(problem, style)).join('\n')}`;
}

function problemLine({ severity, text, instead }: Problem, style: Style): string {
  const word = severity === 'error' ? style.red('error  ') : style.yellow('warning');
  const there = instead.length === 0 ? '' : style.dim(` (there is ${escapeControl(instead.join(', '))})`);
  return `  ${word}  ${escapeControl(text)}${there}`;
}
