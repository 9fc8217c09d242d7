import type { TurnDesk } from '../open-turn-desk.ts';
import { type Served, type ServedTurn, said } from '../served.ts';
import { conceptOf } from './concept-of.ts';
import { explainTables } from './explain-tables.ts';
import { knownOf } from './known-of.ts';
import { whatCanBeAsked } from './what-can-be-asked.ts';

/** What a word means or a figure is made of: from jargon, the semantic model, notes and names; nothing is made up. */
export async function explainConcept(asked: ServedTurn, desk: TurnDesk): Promise<Served> {
  const { turn, talk } = asked;
  const { session, tell } = desk;
  tell({ kind: 'stage', stage: 'retrieve' });
  const words = conceptOf(turn.text);
  if (/\b(?:database|data ?set|schema)\b/i.test(words) && words.split(' ').length <= 4) {
    const { text, examples } = whatCanBeAsked(session);
    return said(text, talk, examples);
  }
  const { lines, tables, figures, near } = await knownOf(words, desk);
  if (lines.length > 0) return said(lines.join('\n'), talk, figures);
  if (tables.length > 0) return explainTables(tables, talk, desk);
  const { examples } = whatCanBeAsked(session);
  const known = near.length === 0 ? '' : ` Known figures: ${near.join(', ')}.`;
  return said(
    `Nothing here says what “${words}” is: no figure, note, term, table or column has that name.${known}`,
    talk,
    examples,
  );
}
