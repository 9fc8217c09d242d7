/** What a turn wants, by the words it is said in: no model. Source: LinkedIn, section 6. */
import type { Catalog } from '../../catalog/index.ts';
import type { FollowUpKind, Route } from '../../reasoning/roles/assist-reasoner.ts';
import type { Talk } from '../turn/turn.ts';
import { tablesNamed } from './read-reply.ts';
import { type SqlInText, sqlInText } from './sql-in-text.ts';
import { says, saysNothingBut } from './turn-phrases.ts';

export interface RoutingGround {
  readonly catalog: Pick<Catalog, 'tables'>;
  /** Words of the trade that were explained somewhere. */
  readonly jargon: readonly string[];
  /** Whether a question goes on from those before it. */
  readonly goesOn: (text: string) => boolean;
}

interface Said {
  readonly text: string;
  readonly sql: SqlInText | undefined;
  readonly named: readonly string[];
  readonly talk: Talk;
  readonly ground: RoutingGround;
}

type Rule = (said: Said) => Route | undefined;

/** The first rule that knows; what none knows is a question for figures or rows. */
export function routeByRules(text: string, talk: Talk, ground: RoutingGround): Route {
  const bare = text.replace(/\s+/gu, ' ').trim();
  const said = {
    text: bare,
    sql: sqlInText(text.trim()),
    named: tablesNamed(bare, ground.catalog),
    talk,
    ground,
  };
  for (const rule of RULES) {
    const route = rule(said);
    if (route !== undefined) return route;
  }
  return { intent: 'write_query', because: 'it asks for figures or rows' };
}

const RULES: readonly Rule[] = [
  small,
  givenQuery,
  slowQuery,
  changedTables,
  whyPart,
  brokenQuery,
  shownTables,
  oneTable,
  lastQuery,
  foundData,
  concept,
  goingOn,
];

function small({ text }: Said): Route | undefined {
  return says(text, 'small') ? other('it asks for nothing of the data') : undefined;
}

function givenQuery({ sql }: Said): Route | undefined {
  if (sql === undefined) return undefined;
  const { words } = sql;
  if (says(words, 'tuning') || /\b(?:slow|faster|optimi[sz]e|speed)\b/i.test(words))
    return other('it asks how a query could be faster');
  const isAsking =
    /\b(?:explain|describe|what (?:does|is|do)|how does|mean|means|understand|walk me|interpret)\b/i;
  if (isAsking.test(words) && !says(words, 'broken')) return other('it asks what a query does');
  return { intent: 'fix_query', because: 'a query is given' };
}

function slowQuery({ text }: Said): Route | undefined {
  return says(text, 'tuning') ? other('it asks how a query could be faster') : undefined;
}

function brokenQuery({ text, talk }: Said): Route | undefined {
  if (!says(text, 'broken')) return undefined;
  const known = talk.lastQuery !== undefined || talk.mended !== undefined;
  return {
    intent: 'fix_query',
    because: known ? 'the last query is said to fail' : 'a query is said to fail',
  };
}

/** Names of the last query count as parts of it: "why city?" */
function whyPart({ text, talk }: Said): Route | undefined {
  const sql = talk.mended ?? talk.lastQuery?.sql;
  if (sql === undefined || !/^(?:and |but )?(?:why|what|where)\b/i.test(text)) return undefined;
  const parts: ReadonlySet<string> = new Set(sql.toLowerCase().match(/\p{L}[\p{L}\p{N}_]{2,}/gu) ?? []);
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}_]{2,}/gu) ?? [];
  const isShort =
    words.length <= 3 && /^(?:and |but )?why\b/i.test(text) && words.some((word) => parts.has(word));
  return isShort || says(text, 'why')
    ? other('it asks why a part of the query is there', 'why_column')
    : undefined;
}

function shownTables({ text, talk }: Said): Route | undefined {
  if (!says(text, 'tables')) return undefined;
  return other('it asks what tables are', talk.tables.length > 0 ? 'explain_tables' : undefined);
}

function oneTable({ text, named, talk, ground }: Said): Route | undefined {
  if (named.length === 0 || !says(text, 'table') || !saysNothingBut(text, named, ground.catalog))
    return undefined;
  const isShown = named.every((id) => talk.tables.includes(id));
  return other('it asks what a table holds', isShown ? 'explain_tables' : undefined);
}

function lastQuery({ text }: Said): Route | undefined {
  return says(text, 'query') ? other('it asks what a query does') : undefined;
}

function foundData({ text }: Said): Route | undefined {
  return says(text, 'find') ? { intent: 'find_data', because: 'it asks where something is kept' } : undefined;
}

function concept({ text, ground }: Said): Route | undefined {
  const [, asked = ''] = /^what(?:['’]s| is| are) (.+?)[?.!\s]*$/i.exec(text) ?? [];
  const isJargon = ground.jargon.some((term) => term.toLowerCase() === asked.toLowerCase());
  return isJargon || says(text, 'concept') ? other('it asks what a word means') : undefined;
}

/** Other tables for the question before. */
function changedTables({ text, named, talk, ground }: Said): Route | undefined {
  if (talk.after.length === 0 && talk.choosing === undefined) return undefined;
  const route = (followUp: FollowUpKind): Route => ({
    intent: 'write_query',
    followUp,
    because: followUp === 'use_table' ? 'it names a table to use' : 'it asks for other tables',
  });
  if (says(text, 'changeTables')) return route('change_tables');
  const isOfTables = named.length > 0 && saysNothingBut(text, named, ground.catalog);
  const saysTable = /\btables?\b/i.test(text);
  if (isOfTables && saysTable && (says(text, 'dropTable') || says(text, 'addTable')))
    return route('change_tables');
  const isUnknown =
    named.length === 0 &&
    /^(?:please )?(?:use|take|try) (?:only |just )?(?:the )?table \S+[.!]?$/i.test(text);
  return (isOfTables && says(text, 'useTable')) || isUnknown ? route('use_table') : undefined;
}

function goingOn({ text, talk, ground }: Said): Route | undefined {
  if (talk.after.length === 0) return undefined;
  const route = (followUp: FollowUpKind, because: string): Route => ({
    intent: 'write_query',
    followUp,
    because,
  });
  if (says(text, 'shorten')) return route('shorten', 'it asks for less of the same');
  if (!ground.goesOn(text)) return undefined;
  return says(text, 'narrow')
    ? route('add_filter', 'it narrows the question before')
    : route('update_query', 'it goes on from the question before');
}

function other(because: string, followUp?: FollowUpKind): Route {
  return { intent: 'other', ...(followUp !== undefined && { followUp }), because };
}
