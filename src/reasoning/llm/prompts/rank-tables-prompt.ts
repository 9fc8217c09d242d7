import type { ChatMessage } from '../../../model/index.ts';
import type { RankQuestion, TableCard } from '../../rank-reasoner.ts';
import { cellText, dataBlock, nameText, shortList } from './data-block.ts';
import { systemText } from './framing.ts';
import { questionBlocks } from './question-blocks.ts';
import { shownTableName } from './render-view.ts';

export const RANK_TABLES_PROMPT_VERSION = 1;

const SHOWN = 5;
const SHOWN_COLUMNS = 60;
/** Longer texts of jargon are cut (LinkedIn, section 13). */
const JARGON_CHARACTERS = 300;

/** Tables scored by what is known of them (LinkedIn, sections 5.2 and 11). */
export function rankTablesPrompt(
  question: RankQuestion,
  cards: readonly TableCard[],
): readonly ChatMessage[] {
  const system = systemText(
    'score each table by how much a query for the question needs it.',
    [
      'Give every table a whole number from 1 (of no use) to 10 (the query cannot do without it), and a short reason.',
      'Think of what each table holds one row of. Tables that only connect two needed ones are needed, too.',
      'A verified question or a common join that fits counts for more than a likeness of names.',
      'Of two tables that serve equally well, prefer the certified one, then the one in wider use; mark a deprecated one down.',
    ],
    '{"tables": [{"name": "as the list writes it", "score": 8, "because": "a few words"}]}',
  );
  const blocks = [
    ...rankQuestionBlocks(question),
    dataBlock('tables', cards.map(cardText).join('\n')),
    `Tables to score: ${cards.length}`,
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}

/** The question with notes and jargon; both rankers see them. */
export function rankQuestionBlocks({ text, hint, notes, jargon }: RankQuestion): readonly string[] {
  const words = jargon.map(({ term, meaning }) => `${term}: ${cellText(meaning, JARGON_CHARACTERS)}`);
  return questionBlocks({ text, hint, knowledge: [...notes, ...words] });
}

function cardText(card: TableCard): string {
  const standing = [
    ...(card.isCertified ? ['certified'] : []),
    ...(card.isDeprecated ? ['deprecated'] : []),
    ...(card.popularity > 0 ? [`popularity ${card.popularity.toFixed(1)}`] : []),
    ...(card.members > 1 ? [`one of ${card.members} like tables`] : []),
  ];
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['about', card.descriptions],
    ['used for', card.examples],
    ['joined with', card.joins],
    ['used together with', card.coQueried],
    ['notes', card.notes],
    ['found', card.found.because],
  ];
  return [
    `table ${nameText(shownTableName(card.table))}${standing.length === 0 ? '' : ` (${standing.join(', ')})`}`,
    ...lines
      .filter(([, entries]) => entries.length > 0)
      .map(
        ([name, entries]) =>
          `  ${name}: ${shortList(
            entries.map((entry) => cellText(entry)),
            SHOWN,
            ' | ',
          )}`,
      ),
    ...(card.columns.length === 0
      ? []
      : [`  columns: ${shortList(card.columns.map(nameText), SHOWN_COLUMNS)}`]),
  ].join('\n');
}
