/** Somebody else's conversation, card by card, as far as its reader could have got it. */

import { createHash } from 'node:crypto';
import type { Session } from '../../session/index.ts';
import { checkVisible } from '../../sql/guard/index.ts';
import { findNames, parse } from '../../sql/index.ts';
import { semanticsOfTable } from '../catalog/semantics-of-table.ts';
import { CARD, type Message } from '../contract/card-contract.ts';
import { hasPolicy, policyText } from '../files/check-semantics.ts';
import { answerWithoutSql } from './hide-sql.ts';

type ShownCard = Message['cards'][number];
type AnswerCard = Extract<ShownCard, { kind: 'answer' }>;

type View = Pick<Session, 'catalog' | 'config' | 'hiddenTables' | 'semantics' | 'semanticsFingerprint'>;

export interface SharedReader {
  /** What the reader may see. */
  readonly session: View;
  /** The whole, which owner and reader have their views of. */
  readonly project: View;
  readonly showSql: boolean;
}

/** Why a card is not shown, each a text of its own. */
export const WITHHELD = {
  tables: 'Not shown: it reads tables that are not shown to you.',
  rows: 'Not shown: other rows or values of these tables are shown to you than to whoever asked.',
  words: 'Not shown: it may name tables or values that are not shown to you.',
  sql: 'Not shown: it may tell of SQL, which is not shown to you.',
  notes: 'Not shown: it holds notes, which may be personal.',
} as const;

/** As a conversation quotes what people wrote. */
const NOTE = 'Note: ';

/**
 * Questions are the owner's own words and stay. Left out are what a model was told, quick replies, ids of records, why a turn
 * was read as it was, and notes, which may be personal.
 */
export function redactForUser(messages: readonly Message[], reader: SharedReader): Message[] {
  const own = policyFingerprint(reader.session, reader.project);
  const seesAll = reader.session.hiddenTables.size === reader.project.hiddenTables.size;
  return messages.map(({ id, at, text, route, cards, view }) => {
    const isSameView = view !== undefined && view === own;
    const isOpen = isSameView || !hasPolicy(reader.project.semantics);
    const shown = { reader, isSameView, isWhole: seesAll && isOpen };
    return {
      ...{ id, at, text, route: { ...route, because: '' }, quickReplies: [] },
      cards: cards.map((card) => cardFor(card, shown)),
    };
  });
}

/** How many cards are not shown. */
export function countWithheld(messages: readonly Message[]): number {
  const texts: readonly string[] = Object.values(WITHHELD);
  return messages
    .flatMap(({ cards }) => cards)
    .filter((card) => card.kind === 'text' && texts.includes(card.text)).length;
}

interface Shown {
  readonly reader: SharedReader;
  /** Owner and reader have the same rows and values of a restricted table. */
  readonly isSameView: boolean;
  /** Nothing that the owner saw is kept from the reader. */
  readonly isWhole: boolean;
}

function cardFor(card: ShownCard, shown: Shown): ShownCard {
  const { reader, isWhole } = shown;
  switch (card.kind) {
    case 'answer': {
      const one = answerFor(card, shown);
      return reader.showSql ? one : withoutSql(one);
    }
    case 'tables':
      return isWhole ? card : tablesFor(card, reader.session);
    case 'fix':
      if (!reader.showSql) return withheld('sql');
      return isWhole ? card : withheld('words');
    case 'text':
      if (!reader.showSql) return withheld('sql');
      if (!isWhole) return withheld('words');
      return card.text.includes(NOTE) ? withheld('notes') : card;
  }
}

function answerFor(
  card: AnswerCard,
  { reader: { session, project }, isSameView, isWhole }: Shown,
): ShownCard {
  const { answer } = card;
  if (isWhole) return plain(card);
  // Only an answer with its SQL says which tables it is of.
  if (answer.kind !== 'answered') return withheld('words');
  const tables = tablesRead(answer.sql, session);
  if (tables === undefined) return withheld('tables');
  return isSameView || !tables.some((id) => isRestricted(id, project)) ? alone(card) : withheld('rows');
}

/** Ids of the tables that a query reads; undefined where it names what the reader does not see, or cannot be read. */
function tablesRead(sql: string, { catalog }: View): readonly string[] | undefined {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok || checkVisible(parsed.tree, catalog, { allowsWildcards: false }) !== undefined)
    return undefined;
  return findNames(parsed.tree, catalog).tables;
}

function isRestricted(id: string, project: View): boolean {
  const { hasRowFilter, masked } = semanticsOfTable(project, id);
  return hasRowFilter || masked.size > 0;
}

/** Without ids that are the owner's, what a model did, and notes. */
function plain({ answer, ...card }: AnswerCard): AnswerCard {
  const { model: _, ...rest } = answer;
  const related = answer.related.filter(({ kind }) => kind !== 'note');
  return { ...card, answer: { ...rest, related, recordId: '' } };
}

/** The query and what it says, without what stands beside it: that may be of other tables. */
function alone(card: AnswerCard): ShownCard {
  const { answer, ...rest } = plain(card);
  if (answer.kind !== 'answered') return withheld('words');
  const { unassessed: _, unsearched: __, undrawn: ___, words: ____, ...known } = answer;
  const bare = { ...known, evidence: [], assumptions: [], alternatives: [], related: [] };
  const { risk } = answer;
  const checks = answer.checks.map(({ name, passed }) => ({ name, passed }));
  return { ...rest, answer: { ...bare, checks, ...(risk && { risk: { ...risk, units: [] } }) } };
}

/** As for readers who may not see SQL at all; a kept answer has no rows. */
function withoutSql(card: ShownCard): ShownCard {
  if (card.kind !== 'answer') return card;
  const { answer } = card;
  const hidden = answerWithoutSql(answer.kind === 'answered' ? { ...answer, rows: [] } : answer);
  return CARD.parse({ ...card, answer: hidden });
}

function tablesFor(card: Extract<ShownCard, { kind: 'tables' }>, { catalog }: View): ShownCard {
  const seen = new Set(catalog.tables.map(({ id }) => id));
  const tables = card.tables
    .filter(({ id }) => seen.has(id))
    .map((table) => ({
      ...table,
      joinedWith: table.joinedWith.filter((id) => seen.has(id)),
      // What it was found by may be a value, or another table.
      because: [],
    }));
  return tables.length === 0 ? withheld('tables') : { ...card, tables };
}

function withheld(why: keyof typeof WITHHELD): ShownCard {
  return { kind: 'text', text: WITHHELD[why] };
}

/**
 * What rows and values are seen through, as a hash: row filters and masks of the project, and the properties of the session.
 * Undefined where the project was opened anew with another semantic model since the session was made.
 */
export function policyFingerprint(
  { semanticsFingerprint, config }: Pick<Session, 'semanticsFingerprint' | 'config'>,
  project: Pick<Session, 'semanticsFingerprint' | 'semantics'>,
): string | undefined {
  if (semanticsFingerprint !== project.semanticsFingerprint) return undefined;
  const properties = Object.entries(config.sessionProperties).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return createHash('sha256')
    .update(JSON.stringify([policyText(project.semantics), properties]))
    .digest('hex');
}
