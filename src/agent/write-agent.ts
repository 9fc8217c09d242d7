import { answerClarification, readRequest, resolveTableScope } from '../answering/index.ts';
import { linkingOf, linkQuestion } from '../answering/prompt/index.ts';
import type { Catalog } from '../catalog/index.ts';
import { CandorError } from '../errors.ts';
import { nearestNames } from '../language/index.ts';
import { hypothesise } from '../reasoning/grounded/index.ts';
import type { Route } from '../reasoning/roles/assist-reasoner.ts';
import { type AskedAs, askInTalk, askOptionsOf, servedAnswer } from './ask-in-talk.ts';
import { goesOn } from './route-turn.ts';
import { readReply, tablesNamed } from './routing/read-reply.ts';
import { says, standsAlone } from './routing/turn-phrases.ts';
import { repliesToChoice } from './turn/quick-replies.ts';
import { type ShownTable, tableCards } from './turn/table-cards.ts';
import { afterOffer, lastSqlOf, tablesOfSql } from './turn/talk-state.ts';
import type { Talk, Turn } from './turn/turn.ts';
import type { TurnContext } from './turn/turn-context.ts';
import { type Served, type ServedTurn, said } from './turn/turn-context.ts';

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
export async function writeAgent(asked: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { turn, talk, route } = asked;
  if (turn.assume !== undefined) return askOtherwise(turn.assume, talk, turnContext);
  const { session, now } = turnContext;
  const reply = readReply(turn, talk, session.catalog, (text) => standsAlone(text, session, now));
  if (reply?.kind === 'choice') return askOverChosen(reply.tables, talk, turnContext);
  if (reply?.kind === 'answer-back') return replyToBack(asked, turnContext);
  if (turn.tables !== undefined)
    return turn.text.trim() === ''
      ? askLastOver(turn.tables, talk, turnContext)
      : askInTalk({ text: turn.text, after: [], within: turn.tables }, talk, turnContext);
  if (route.followUp === 'use_table' || route.followUp === 'change_tables')
    return askOverOthers(asked, turnContext);
  const isOwn =
    route.followUp === undefined && !goesOn(turn.text, talk.after, turnContext.session, turnContext.now);
  if (turnContext.modelRoles === undefined && isOfPastedQuery(turn, talk))
    return said(OF_PASTED, talk, ['Explain this query']);
  if (turn.guided === true && isOwn) return chooseTables(turn.text, talk, turnContext);
  return isOwn
    ? askInTalk({ text: turn.text, after: [] }, talk, turnContext)
    : askGoingOn(asked, turnContext);
}

/** What goes on is written so that it stands alone, by a model; the engine reads it behind the questions before it. */
async function askGoingOn({ turn, talk, route }: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { modelRoles, session, signal } = turnContext;
  const { after, within } = talk;
  if (modelRoles === undefined) {
    const isBare =
      route.followUp === 'shorten' && !/\d|\b(?:one|two|three|four|five|ten|twenty)\b/i.test(turn.text);
    return askInTalk({ text: isBare ? SHORTER : turn.text, after, within }, talk, turnContext);
  }
  turnContext.tell({ kind: 'stage', stage: 'stand alone' });
  const about = session.semantics.description;
  const text = await modelRoles.normaliser.standAlone(
    {
      text: turn.text,
      databaseLanguage: 'en',
      about: about === undefined ? [] : [about],
      ledger: modelRoles.ledger,
      signal,
    },
    turnsBefore(talk, turnContext),
    lastSqlOf(talk),
  );
  return askInTalk({ text, after: [], within, goesOn: talk.lastQuery !== undefined }, talk, turnContext);
}

/** What was said before, each with what it came to, which in private mode is nobody's to tell; nothing from before a query was pasted. */
function turnsBefore({ turns, mended, after }: Talk, { modelRoles }: TurnContext): readonly string[] {
  const own = mended !== undefined && after.length === 0 ? turns.slice(-1) : turns;
  return own.map(({ question, answer }) =>
    modelRoles?.writer.sharing === 'private' ? question : `${question} → ${answer}`,
  );
}

async function replyToBack({ turn, talk }: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { pending } = talk;
  if (pending === undefined) return nothingBefore(talk);
  try {
    const answer = await answerClarification(
      pending.recordId,
      turn.text,
      turnContext.session,
      askOptionsOf(turnContext),
    );
    const as: AskedAs = { asked: answer.question, before: [], within: talk.within };
    return servedAnswer(answer, talk, turnContext, as);
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    // It fits no option: the question still stands.
    if (error.code === 'question.not-asked') return said(error.message, talk, pending.options ?? []);
    if (error.code !== 'record.not-found' && error.code !== 'record.no-question-back') throw error;
    const text = 'The question that was asked back is no longer on record. Please ask it again.';
    const { pending: _pending, ...rest } = talk;
    return said(text, rest, talk.after.slice(-1));
  }
}

/** The last question once more, with defaults taken otherwise. */
async function askOtherwise(
  assume: Readonly<Record<string, string>>,
  talk: Talk,
  turnContext: TurnContext,
): Promise<Served> {
  const { within, assumed } = talk;
  const last = lastQuestion(talk);
  if (last === undefined) return nothingBefore(talk);
  return askInTalk({ ...last, within, assume: { ...assumed, ...assume } }, talk, turnContext);
}

async function askLastOver(
  tables: readonly string[] | undefined,
  talk: Talk,
  turnContext: TurnContext,
): Promise<Served> {
  const last = lastQuestion(talk);
  if (last === undefined) return nothingBefore(talk);
  return askInTalk({ ...last, within: tables, assume: talk.assumed }, talk, turnContext);
}

async function askOverChosen(
  tables: readonly string[],
  talk: Talk,
  turnContext: TurnContext,
): Promise<Served> {
  const { choosing } = talk;
  if (choosing === undefined) return nothingBefore(talk);
  if (tables.length > 0) return askInTalk({ text: choosing, after: [], within: tables }, talk, turnContext);
  const how = 'say their numbers or names, “ok” for the ticked ones, or “all”';
  return said(`There are ${talk.tables.length} tables to choose from: ${how}.`, talk, ['OK', 'All']);
}

async function askOverOthers({ turn, talk, route }: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { session, now } = turnContext;
  const other = otherTables(turn.text, talk, route, session.catalog);
  if (other.kind === 'unknown') return said(other.text, talk, ['What tables are there?']);
  if (other.kind === 'within' && talk.choosing === undefined)
    return askLastOver(other.tables, talk, turnContext);
  if (other.kind === 'within')
    return askInTalk({ text: talk.choosing ?? '', after: [], within: other.tables }, talk, turnContext);
  const last = lastQuestion(talk);
  const text = talk.choosing ?? (last && readRequest(last.text, last.after, session, now).text);
  return text === undefined ? nothingBefore(talk) : chooseTables(text, talk, turnContext);
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

/** Which tables the last question is to be asked over instead. */
type OtherTables =
  /** Undefined: all of them again. */
  | { readonly kind: 'within'; readonly tables: readonly string[] | undefined }
  /** Nothing is named: they are to be chosen. */
  | { readonly kind: 'choose' }
  | { readonly kind: 'unknown'; readonly text: string };

const ALL = /\ball\b(?:\s+of)?(?:\s+the)?\s+tables\b/i;

function otherTables(
  text: string,
  talk: Pick<Talk, 'within' | 'tables'>,
  { followUp }: Route,
  catalog: Pick<Catalog, 'tables'>,
): OtherTables {
  if (ALL.test(text)) return { kind: 'within', tables: undefined };
  const named = tablesNamed(text, catalog);
  if (named.length === 0) return followUp === 'use_table' ? unknownTable(text, catalog) : { kind: 'choose' };
  const now = talk.within ?? talk.tables;
  if (followUp === 'use_table') return { kind: 'within', tables: named };
  if (says(text, 'addTable')) return { kind: 'within', tables: [...new Set([...now, ...named])] };
  if (says(text, 'dropTable')) {
    const from = talk.within ?? catalog.tables.map(({ id }) => id);
    const left = from.filter((id) => !named.includes(id));
    return left.length > 0
      ? { kind: 'within', tables: left }
      : { kind: 'unknown', text: 'No table would be left. Name one to use, or say “use all tables”.' };
  }
  return { kind: 'within', tables: named };
}

function unknownTable(text: string, { tables }: Pick<Catalog, 'tables'>): OtherTables {
  const word =
    /\btable\s+["'`]?([\w.]+)/i.exec(text)?.[1] ?? /([\w.]+)["'`]?[.!]?$/.exec(text.trim())?.[1] ?? text;
  const near = nearestNames(
    word,
    tables.map(({ name }) => name),
    3,
  );
  const there = near.length === 0 ? '' : ` There is ${near.join(', ')}.`;
  return { kind: 'unknown', text: `There is no table ${word}.${there}` };
}

/** Beside the ticked ones, as many as a person looks through. */
const MOST_OFFERED = 8;

/**
 * The tables of a question to choose from, best first: ticked what it is linked to and what its likeliest reading reads,
 * then others that fit. No model is called for it. Source: LinkedIn, section 6 (guided mode).
 */
async function chooseTables(question: string, talk: Talk, turnContext: TurnContext): Promise<Served> {
  const { now, signal, tell } = turnContext;
  tell({ kind: 'stage', stage: 'link schema' });
  const { session } = await resolveTableScope(question, turnContext.session, {});
  const {
    linked,
    retrieved,
    question: asked,
  } = await linkQuestion(question, await linkingOf(session), {
    ...(signal && { signal }),
  });
  if (linked === null || retrieved === null)
    return said(`There is nothing to choose tables for: ${asked.because}`, talk);
  const because = new Map<string, readonly string[]>();
  const relevant = linked.items.filter(({ kind, tier }) => kind === 'table' && tier === 'relevant');
  for (const { id, because: why } of relevant.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0)))
    because.set(
      id,
      why.map(({ text }) => text),
    );
  const [reading] = hypothesise(asked.question, session.knowledge, now).readings;
  for (const id of reading === undefined ? [] : tablesOfSql(reading.sql, session.catalog))
    if (!because.has(id)) because.set(id, ['the question is read over it']);
  const ticked: readonly ShownTable[] = [...because].map(([id, why]) => ({
    id,
    because: why,
    isTicked: true,
  }));
  const others: readonly ShownTable[] = retrieved.tables
    .filter(({ item, because: why }) => !because.has(item.tableId) && !item.isDeprecated && why.length > 0)
    .map(({ item, because: why }) => ({ id: item.tableId, because: why, isTicked: false }));
  const cards = tableCards([...ticked, ...others.slice(0, MOST_OFFERED)], session, await session.base.open());
  if (cards.length === 0)
    return said('No table fits this question. Say it in other words, or ask which tables there are.', talk, [
      'What tables are there?',
    ]);
  const ids = cards.map(({ id }) => id);
  return {
    cards: [{ kind: 'tables', tables: cards, isChoice: true }],
    quickReplies: repliesToChoice(cards),
    talk: afterOffer(
      talk,
      question,
      ids,
      cards.filter(({ isTicked }) => isTicked).map(({ id }) => id),
    ),
    line: `tables to choose from: ${ids.join(', ')}`,
  };
}
