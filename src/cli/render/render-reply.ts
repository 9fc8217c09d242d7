/** The cards of a turn of a conversation, with what may be said next. */
import type { Card, Reply } from '../../agent/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../text/index.ts';
import { type CardLayout, renderAnswer } from './render-answer.ts';
import { renderFix } from './render-fix.ts';
import { renderTables } from './render-tables.ts';

export function renderReply(
  { cards, quickReplies }: Pick<Reply, 'cards' | 'quickReplies'>,
  layout: CardLayout,
): string {
  const blocks = cards.map((card) => cardBlock(card, layout).trimEnd());
  const next = quickReplies.map((reply) => `“${escapeControl(reply)}”`).join('  ');
  const offers = next === '' ? [] : [layout.style.dim(`you may say: ${next}`)];
  return `${[...blocks, ...offers].join('\n\n')}\n`;
}

function cardBlock(card: Card, layout: CardLayout): string {
  switch (card.kind) {
    case 'answer':
      return renderAnswer(card.answer, layout);
    case 'tables':
      return renderTables(card.tables, card.isChoice, layout.style);
    case 'fix':
      return renderFix(card.fix, layout.style);
    case 'text':
      return escapeControlKeepingLines(card.text);
  }
}
