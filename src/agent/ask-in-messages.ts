import type { Answer } from '../answer.ts';
import { type AskOptions, answerClarification, ask, readOwnRecord } from '../answering/index.ts';
import { CandorError } from '../errors.ts';
import type { DecisionRecord, Session } from '../session/index.ts';
import { goesOn } from './route-turn.ts';
import { readReply } from './routing/read-reply.ts';
import { standsAlone } from './routing/turn-phrases.ts';
import { settled } from './turn/talk-state.ts';
import { NEW_TALK, type Talk } from './turn/turn.ts';

/** What was asked, and the record of its answer where it is told. */
export interface AskedBefore {
  readonly question: string;
  readonly recordId?: string | undefined;
}

/**
 * Asks in a conversation that nobody keeps: its records say what it has come to, so that a reply to a question back answers that
 * one, and the next question goes on from what it became. Throws what `ask` and `answerClarification` throw.
 */
export async function askInMessages(
  question: string,
  before: readonly AskedBefore[],
  session: Session,
  options: Pick<AskOptions, 'signal'> = {},
): Promise<Answer> {
  const now = session.clock();
  let talk = NEW_TALK;
  for (const asked of before)
    talk = afterRecord(talk, asked, await recordOf(asked, session), { session, now });
  const reply = readReply({ text: question }, talk, session.catalog, (text) =>
    standsAlone(text, session, now),
  );
  if (reply?.kind === 'answer-back' && talk.pending !== undefined)
    return answerClarification(talk.pending.recordId, question, session, options);
  return ask(question, session, { ...options, after: talk.after });
}

/** Undefined where none is told, or it is no longer kept. */
async function recordOf({ recordId }: AskedBefore, session: Session): Promise<DecisionRecord | undefined> {
  if (recordId === undefined) return undefined;
  try {
    return await readOwnRecord(recordId, session);
  } catch (error) {
    if (error instanceof CandorError && error.code === 'record.not-found') return undefined;
    throw error;
  }
}

function afterRecord(
  talk: Talk,
  asked: AskedBefore,
  record: DecisionRecord | undefined,
  { session, now }: { readonly session: Session; readonly now: Date },
): Talk {
  const rest = settled(talk);
  if (record === undefined) return { ...rest, after: [...talk.after, asked.question] };
  // What was refused is no question to go on from.
  if (record.kind === 'reject') return rest;
  const { id, question, after = [], back } = record;
  const next = { ...rest, after: [...(goesOn(question, after, session, now) ? after : []), question] };
  if (back === undefined) return next;
  return { ...next, pending: { recordId: id, options: back.options.map(({ label }) => label) } };
}
