import type { TurnDesk } from '../open-turn-desk.ts';
import { type Served, type ServedTurn, said } from '../served.ts';
import { lastSqlOf } from '../talk-state.ts';
import { whatCanBeAsked } from './what-can-be-asked.ts';

/** A language model answers from what is known; where that does not say it, the person is told so. Bug: there is no model. */
export async function explainByModel(
  { turn, talk }: ServedTurn,
  knowledge: readonly string[],
  { session, mind, signal, tell }: TurnDesk,
): Promise<Served> {
  if (mind === undefined) throw new Error('a turn without a model was to be explained by one');
  tell({ kind: 'stage', stage: 'answer about' });
  const lastQuery = lastSqlOf(talk);
  const { isKnown, text } = await mind.assistant.answerAbout(
    { text: turn.text, ledger: mind.ledger, ...(signal && { signal }) },
    {
      knowledge,
      earlier: talk.turns.map(({ question }) => question),
      ...(lastQuery !== undefined && { lastQuery }),
    },
  );
  return said(text, talk, isKnown ? [] : whatCanBeAsked(session).examples);
}
