/** What a language model was told for an answer, call by call, for people. */

import type { Disclosure } from '../../answer.ts';
import { escapeControl } from '../../lib/index.ts';
import type { Style } from './layout/text-layout.ts';
import { renderTable } from './layout/text-layout.ts';

/** A row a call: who read it, how much, in which blocks; those that could hold cells are marked with `*`. */
export function renderSent(
  sent: readonly Disclosure[],
  layout: { readonly style: Style; readonly width?: number },
): string {
  if (sent.length === 0) return 'No language model was asked: nothing left this machine.\n';
  const rows = sent.map(({ role, host, outcome, promptTokens, blocks }) => [
    escapeControl(role),
    host === null ? 'this machine' : escapeControl(host),
    outcome,
    String(promptTokens),
    blocks
      .filter(({ name }) => name !== 'outside')
      .map(
        ({ name, characters, mayHoldValues }) =>
          `${escapeControl(name)}${mayHoldValues ? '*' : ''} ${characters}`,
      )
      .join(', '),
  ]);
  const table = renderTable(['role', 'told to', 'outcome', 'tokens', 'blocks, characters'], rows, layout);
  return `${table.trimEnd()}\n${lastLine(sent)}\n`;
}

function lastLine(sent: readonly Disclosure[]): string {
  if (sent.every(({ host, outcome }) => host === null || outcome === 'replayed'))
    return 'Nothing left this machine.';
  return sent.some(({ blocks }) => blocks.some(({ mayHoldValues }) => mayHoldValues))
    ? 'Blocks marked * can hold values of the database; `model.private` keeps them out.'
    : 'No block could hold values of the database.';
}
