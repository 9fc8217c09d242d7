/** The cards of a turn of a conversation, with what may be said next. */
import type { Card, Reply, TableCard } from '../../../agent/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import type { Style } from '../layout/text-layout.ts';
import { type CardLayout, renderAnswer } from './render-answer.ts';
import { renderFix } from './render-fix.ts';

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

// Tables as cards: what they hold, who uses them, what they go with, and why they are shown.

const SHOWN_COLUMNS = 10;

function renderTables(tables: readonly TableCard[], isChoice: boolean, style: Style): string {
  const cards = tables.map((table, place) => tableBlock(table, isChoice ? place + 1 : undefined, style));
  const how = 'Say “ok” for the ticked ones, “all”, or their numbers or names.';
  return [...cards, ...(isChoice ? [style.dim(how)] : [])].join('\n');
}

function tableBlock(card: TableCard, number: number | undefined, style: Style): string {
  const { name, description, tags, monthlyReads, joinedWith, columns, moreColumns = 0, because } = card;
  const tick = number === undefined ? '' : `${card.isTicked ? '[x]' : '[ ]'} ${number} `;
  const facts = [
    ...tags,
    ...(monthlyReads === undefined ? [] : [`${monthlyReads.toLocaleString('en')} reads a month`]),
  ];
  const standing = facts.length === 0 ? '' : style.dim(` (${facts.join(', ')})`);
  const hidden = Math.max(0, columns.length - SHOWN_COLUMNS) + moreColumns;
  const names = columns.slice(0, SHOWN_COLUMNS).map((column) => column.name);
  const lines = [
    description,
    `columns: ${names.join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''}`,
    joinedWith.length === 0 ? undefined : `goes with: ${joinedWith.join(', ')}`,
    because.length === 0 ? undefined : `because ${because.join('; ')}`,
  ];
  const indent = number === undefined ? '  ' : '      ';
  const shown = lines.flatMap((line) => (line === undefined ? [] : [`${indent}${escapeControl(line)}`]));
  return [`${tick}${style.bold(escapeControl(name))}${standing}`, ...shown].join('\n');
}
