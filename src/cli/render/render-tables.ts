/** Tables as cards: what they hold, who uses them, what they go with, and why they are shown. */
import type { TableCard } from '../../agent/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Style } from './style.ts';

const SHOWN_COLUMNS = 10;

export function renderTables(tables: readonly TableCard[], isChoice: boolean, style: Style): string {
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
