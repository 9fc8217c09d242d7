import { answerClarification, readRequest } from '../answering/index.ts';
import { CandorError } from '../errors.ts';
import { type AskedAs, askInTalk, askOptionsOf, servedAnswer } from './ask-in-talk.ts';
import { chooseTables } from './choose-tables.ts';
import type { TurnDesk } from './open-turn-desk.ts';
import { otherTables } from './other-tables.ts';
import { goesOn } from './route-turn.ts';
import { readReply } from './routing/read-reply.ts';
import { standsAlone } from './routing/stands-alone.ts';
import { type Served, type ServedTurn, said } from './served.ts';
import { lastSqlOf } from './talk-state.ts';
import type { Talk, Turn } from './turn.ts';

const SHORTER = 'top 10 only';
const OF_PASTED =
  'This seems to change the query that was mended last. Without a language model I change what was asked in words, not SQL that was pasted: ask it as a whole question, or change the SQL and paste it again.';
/** Words that point at what stands before them, and at nothing that they name themselves. */
const POINTS =
  /^(?:and |but |now |then )*(?:(?:only|just) (?:those|these|the ones|for|in|from|with|where)\b|(?:the )?same (?:query|thing|but)\b|(?:sort|order)(?: it| them)? by\b|top \d+ only\b)/i;

/** A query that was pasted has no question to go on from. */
function isOfPastedQuery({ text }: Turn, { mended, after }: Talk): boolean {
  return mended !== undefined && after.length === 0 && POINTS.test(text.trim());
}

/** A query for a question, an update of the last one, an answer to a question back, or the same over other tables. */
export async function writeAgent(asked: ServedTurn, desk: TurnDesk): Promise<Served> {
  const { turn, talk, route } = asked;
  if (turn.assume !== undefined) return askOtherwise(turn.assume, talk, desk);
  const { session, now } = desk;
  const reply = readReply(turn, talk, session.catalog, (text) => standsAlone(text, session, now));
  if (reply?.kind === 'choice') return askOverChosen(reply.tables, talk, desk);
  if (reply?.kind === 'answer-back') return replyToBack(asked, desk);
  if (turn.tables !== undefined)
    return turn.text.trim() === ''
      ? askLastOver(turn.tables, talk, desk)
      : askInTalk({ text: turn.text, after: [], within: turn.tables }, talk, desk);
  if (route.followUp === 'use_table' || route.followUp === 'change_tables') return askOverOthers(asked, desk);
  const isOwn = route.followUp === undefined && !goesOn(turn.text, talk.after, desk.session, desk.now);
  if (desk.mind === undefined && isOfPastedQuery(turn, talk))
    return said(OF_PASTED, talk, ['Explain this query']);
  if (turn.guided === true && isOwn) return chooseTables(turn.text, talk, desk);
  return isOwn ? askInTalk({ text: turn.text, after: [] }, talk, desk) : askGoingOn(asked, desk);
}

/** What goes on is written so that it stands alone, by a model; the engine reads it behind the questions before it. */
async function askGoingOn({ turn, talk, route }: ServedTurn, desk: TurnDesk): Promise<Served> {
  const { mind, session, signal } = desk;
  const { after, within } = talk;
  if (mind === undefined) {
    const isBare =
      route.followUp === 'shorten' && !/\d|\b(?:one|two|three|four|five|ten|twenty)\b/i.test(turn.text);
    return askInTalk({ text: isBare ? SHORTER : turn.text, after, within }, talk, desk);
  }
  desk.tell({ kind: 'stage', stage: 'stand alone' });
  const about = session.semantics.description;
  const text = await mind.normaliser.standAlone(
    {
      text: turn.text,
      databaseLanguage: 'en',
      about: about === undefined ? [] : [about],
      ledger: mind.ledger,
      signal,
    },
    turnsBefore(talk, desk),
    lastSqlOf(talk),
  );
  return askInTalk({ text, after: [], within, goesOn: talk.lastQuery !== undefined }, talk, desk);
}

/** What was said before, each with what it came to, which in private mode is nobody's to tell; nothing from before a query was pasted. */
function turnsBefore({ turns, mended, after }: Talk, { mind }: TurnDesk): readonly string[] {
  const own = mended !== undefined && after.length === 0 ? turns.slice(-1) : turns;
  return own.map(({ question, answer }) =>
    mind?.writer.sharing === 'private' ? question : `${question} → ${answer}`,
  );
}

async function replyToBack({ turn, talk }: ServedTurn, desk: TurnDesk): Promise<Served> {
  const { pending } = talk;
  if (pending === undefined) return nothingBefore(talk);
  try {
    const answer = await answerClarification(pending.recordId, turn.text, desk.session, askOptionsOf(desk));
    const as: AskedAs = { asked: answer.question, before: [], within: talk.within };
    return servedAnswer(answer, talk, desk, as);
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    // It fits no option: the question still stands.
    if (error.code === 'question.not-asked') return said(error.message, talk, pending.options ?? []);
    if (error.code !== 'record.not-found') throw error;
    const text = 'The question that was asked back is no longer on record. Please ask it again.';
    const { pending: _pending, ...rest } = talk;
    return said(text, rest, talk.after.slice(-1));
  }
}

/** The last question once more, with defaults taken otherwise. */
async function askOtherwise(
  assume: Readonly<Record<string, string>>,
  talk: Talk,
  desk: TurnDesk,
): Promise<Served> {
  const { within, assumed } = talk;
  const last = lastQuestion(talk);
  if (last === undefined) return nothingBefore(talk);
  return askInTalk({ ...last, within, assume: { ...assumed, ...assume } }, talk, desk);
}

async function askLastOver(
  tables: readonly string[] | undefined,
  talk: Talk,
  desk: TurnDesk,
): Promise<Served> {
  const last = lastQuestion(talk);
  if (last === undefined) return nothingBefore(talk);
  return askInTalk({ ...last, within: tables, assume: talk.assumed }, talk, desk);
}

async function askOverChosen(tables: readonly string[], talk: Talk, desk: TurnDesk): Promise<Served> {
  const { choosing } = talk;
  if (choosing === undefined) return nothingBefore(talk);
  if (tables.length > 0) return askInTalk({ text: choosing, after: [], within: tables }, talk, desk);
  const how = 'say their numbers or names, “ok” for the ticked ones, or “all”';
  return said(`There are ${talk.tables.length} tables to choose from: ${how}.`, talk, ['OK', 'All']);
}

async function askOverOthers({ turn, talk, route }: ServedTurn, desk: TurnDesk): Promise<Served> {
  const { session, now } = desk;
  const other = otherTables(turn.text, talk, route, session.catalog);
  if (other.kind === 'unknown') return said(other.text, talk, ['What tables are there?']);
  if (other.kind === 'within' && talk.choosing === undefined) return askLastOver(other.tables, talk, desk);
  if (other.kind === 'within')
    return askInTalk({ text: talk.choosing ?? '', after: [], within: other.tables }, talk, desk);
  const last = lastQuestion(talk);
  const text = talk.choosing ?? (last && readRequest(last.text, last.after, session, now).text);
  return text === undefined ? nothingBefore(talk) : chooseTables(text, talk, desk);
}

interface LastQuestion {
  readonly text: string;
  readonly after: readonly string[];
}

function lastQuestion({ after }: Talk): LastQuestion | undefined {
  const text = after.at(-1);
  return text === undefined ? undefined : { text, after: after.slice(0, -1) };
}

function nothingBefore(talk: Talk): Served {
  return said('There is no question before this one to ask again. What do you want to know?', talk);
}
