import type { KnowledgeBase } from '../knowledge/base/index.ts';
import type { Retrieved } from '../knowledge/retrieve/index.ts';
import { explainByModel } from './explain/explain-by-model.ts';
import { tablesNamed } from './routing/read-reply.ts';
import { repliesToTables } from './turn/quick-replies.ts';
import { type ShownTable, tableCards } from './turn/table-cards.ts';
import { afterTables } from './turn/talk-state.ts';
import type { Card, Talk } from './turn/turn.ts';
import type { TurnContext } from './turn/turn-context.ts';
import { type Served, type ServedTurn, said } from './turn/turn-context.ts';

/** LinkedIn shows the tables its ranker keeps (section 5.2). */
const MOST_TABLES = 7;
/** Beside the best one, what is less than this share as sure says little. */
const NEAR_BEST = 0.35;
const IN_USE = /^it is in use\b/;
/** Searching by words and spelling is how the knowledge base of a session is opened: nothing failed. */
const BY_DESIGN = /no sentence encoder/;

/** The tables that hold what is asked for, with why: search over names, texts, definitions and stored values. */
export async function findAgent(
  { turn, talk, route }: ServedTurn,
  turnContext: TurnContext,
): Promise<Served> {
  const { session, signal, tell } = turnContext;
  tell({ kind: 'stage', stage: 'retrieve' });
  const base = await session.base.open();
  const subject = subjectOf(turn.text);
  if (subject === '') return everyTable(talk, base, turnContext);
  if (turnContext.modelRoles !== undefined) return explainByModel({ turn, talk, route }, turnContext);
  const found = await base.retrieve({ question: subject, ...(signal && { signal }) });
  const shown = fitting(found, subject, turnContext);
  const cards = tableCards(shown, session, base).slice(0, MOST_TABLES);
  if (cards.length === 0) return nothingFound(subject, talk, base);
  const notes = notesOf(found, base);
  const ids = cards.map(({ id }) => id);
  return {
    cards: [{ kind: 'tables', tables: cards, isChoice: false }, ...notes],
    quickReplies: repliesToTables(cards),
    talk: afterTables(talk, ids),
    line: `tables about ${subject}: ${ids.join(', ')}`,
  };
}

/** Tables with a sign of their own, then those whose columns hold a value that is asked for. */
function fitting(found: Retrieved, subject: string, { session }: TurnContext): readonly ShownTable[] {
  const columnsOf = (id: string): readonly string[] =>
    found.columns.map(({ item }) => item.columnId).filter((column) => tableOf(column) === id);
  const best = found.tables[0]?.score ?? 0;
  const named = new Set(tablesNamed(subject, session.catalog));
  const byWords = found.tables
    .filter(({ item, score, because }) => {
      const isFitting = because.some((why) => !IN_USE.test(why)) && score >= best * NEAR_BEST;
      return named.has(item.tableId) || (isFitting && !item.isDeprecated);
    })
    .map(({ item, because }) => ({ id: item.tableId, because, columns: columnsOf(item.tableId) }));
  const byValues = found.values.flatMap(({ item }) => {
    const held = item.values.find(({ match }) => match === 'exact' || match === 'folded');
    const because = [`${item.columnId} holds “${held?.value ?? ''}”`];
    return held === undefined ? [] : [{ id: tableOf(item.columnId), because, columns: [item.columnId] }];
  });
  const merged = new Map<string, ShownTable>();
  for (const one of [...byWords, ...byValues]) {
    const known = merged.get(one.id);
    const columns = [...(known?.columns ?? []), ...one.columns];
    merged.set(one.id, { id: one.id, because: [...(known?.because ?? []), ...one.because], columns });
  }
  return [...merged.values()];
}

async function everyTable(talk: Talk, base: KnowledgeBase, { session }: TurnContext): Promise<Served> {
  const scope = base.scope.tables;
  const popularity = (id: string): number => base.graph.table(id)?.popularity?.value ?? 0;
  const all = session.catalog.tables
    .filter(({ id }) => scope?.has(id) ?? base.graph.table(id)?.status?.value.status !== 'deprecated')
    .map(({ id }) => id)
    .sort((a, b) => popularity(b) - popularity(a));
  const cards = tableCards(
    all.slice(0, MOST_TABLES).map((id) => ({ id, because: [] })),
    session,
    base,
  );
  const more = all.length - cards.length;
  const rest = all.slice(cards.length, cards.length + 50).join(', ');
  const text = `${more} more ${more === 1 ? 'table' : 'tables'}: ${rest}${more > 50 ? ', …' : ''}.`;
  return {
    cards: [
      { kind: 'tables', tables: cards, isChoice: false },
      ...(more > 0 ? [{ kind: 'text', text } as const] : []),
      ...scopeNote(base),
    ],
    quickReplies: repliesToTables(cards),
    talk: afterTables(
      talk,
      cards.map(({ id }) => id),
    ),
    line: `the tables there are: ${all.slice(0, MOST_TABLES).join(', ')}`,
  };
}

function nothingFound(subject: string, talk: Talk, base: KnowledgeBase): Served {
  const because =
    base.scope.tables === undefined ? '' : ` Searched were ${base.scope.because}, then all others.`;
  const text = `I found no table, column, note or stored value about “${subject}”.${because}`;
  return said(text, talk, ['What tables are there?']);
}

/** What people wrote that helps to choose, and what was searched. */
function notesOf({ notes, warnings }: Retrieved, base: KnowledgeBase): readonly Card[] {
  const texts = notes.slice(0, 2).map(({ item }) => `Note: ${item.text} (${item.place})`);
  const lines = [...texts, ...warnings.filter((one) => !BY_DESIGN.test(one)).map((one) => `${one}.`)];
  return [
    ...(lines.length === 0 ? [] : [{ kind: 'text', text: lines.join('\n') } as const]),
    ...scopeNote(base),
  ];
}

function scopeNote({ scope }: KnowledgeBase): readonly Card[] {
  return scope.tables === undefined ? [] : [{ kind: 'text', text: `Searched: ${scope.because}.` }];
}

function tableOf(columnId: string): string {
  return columnId.slice(0, columnId.lastIndexOf('.'));
}

/** Words that ask where something is, or what it means, and are not what it is. */
const ASKING = [
  /^(?:please|can you|could you|hi|hello|hey|so|and|but|ok|okay|now|well)\b[\s,]*/i,
  /^(?:i need|i am looking for|i['’]m looking for|looking for|find|search for|search|look for|list|show|give|tell)(?: me)?(?: all| the| any| some)*\b/i,
  /\b(?:which|what|are there|is there|are|is|do|does|can|could|would|should)\s+(?:we |you |i |the |other |any |some |it |there )*(?:have |hold |store |track |keep )?(?:an?y? |the |some )?(?:tables?|columns?|fields?|datasets?|views?|data|information|info)\b/gi,
  /\b(?:tables?|columns?|fields?|datasets?|views?)\s+(?:are|is|do|does|there|that|which|with|for|about|on|of|have|has|hold|holds|contain|contains|store|stores|keep|keeps|record|records|track|tracks|describe|describes|include|includes|related to)\b/gi,
  /^(?:where|in which tables?|in which columns?)\s+(?:is|are|do|does|can|could|would|should|might)\s+(?:i|we|you|one|the|an?|all)?\b/i,
  /\b(?:stored|kept|saved|recorded|held|tracked|located|come from|find|look for)\b\s*(?:in|at|here)?\s*[?.!]*$/i,
  /^\s*(?:find|look for|get|see|search for|look up)\b/i,
  /^\s*(?:hold|holds|have|has|had|contain|contains|store|stores|keep|keeps|record|records|track|tracks|describe|describes|is|are|do|does|there|with|for|about|on|of|in|the|an?|any|all|tables?|columns?|data|information|that|which|we|you|i|our|my|me|related|to|here)\b/i,
  /\b(?:is|are|do|does|there|have|in it|in there|here)\s*[?.!]*$/i,
] as const;

/** `which tables hold the salaries of singers?` → `salaries of singers`; empty where nothing is left. */
function subjectOf(text: string): string {
  let rest = text.replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of ASKING) rest = rest.replace(pattern, ' ').replace(/\s+/gu, ' ').trim();
  }
  return rest.replace(/^[\s\p{P}]+|[\s?.!,;:]+$/gu, '');
}
