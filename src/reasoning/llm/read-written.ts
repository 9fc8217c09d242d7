/** Queries in the replies of models: as JSON of the form, or as bare SQL where a weak model forgets the form. */
import { z } from 'zod';
import type { DialectName } from '../../sql/dialect.ts';
import { lexSql } from '../../sql/index.ts';
import type { NotWritten, WrittenQuery } from '../write-reasoner.ts';
import { extractJson } from './extract-json.ts';
import { cutText } from './prompts/data-block.ts';

const SQL_CHARACTERS = 20_000;
/** A weak model that forgets the form does not write more than this. */
const PLAIN_CHARACTERS = 60_000;
const TEXT_CHARACTERS = 2_000;
const NAME_CHARACTERS = 400;
const MOST_ASSUMPTIONS = 20;
const MOST_NAMES = 500;

const LIST = z.array(z.string()).nullish();
const TEXT = z.string().nullish();
/** The order is the order of thinking: a model held to the form writes its thoughts first. */
const HEAD = { thoughts: TEXT };
const TAIL = { explanation: TEXT, assumptions: LIST, tables: LIST, columns: LIST };

export const WRITTEN = z.object({ ...HEAD, query: z.string().nullable(), missing: TEXT, ...TAIL });
export const MENDED = z.object({ query: z.string(), ...TAIL });

type Written = z.infer<typeof WRITTEN>;
type Mended = z.infer<typeof MENDED>;

/** What is wrong with the text of a query, for the model to mend; whether it is SQL is found out by whoever parses it. */
export function wrongWithQuery({ query, missing, explanation }: Partial<Written>): string | undefined {
  if (query === null || query === undefined)
    return `${missing ?? ''}${explanation ?? ''}`.trim() === ''
      ? 'missing: query is null, and nothing says what the schema lacks'
      : undefined;
  const { length } = cleanSql(query);
  if (length === 0) return 'query: it is empty';
  return length > SQL_CHARACTERS ? `query: it is longer than ${SQL_CHARACTERS} characters` : undefined;
}

export function toWritten(read: Written): WrittenQuery | NotWritten {
  const { query, missing, explanation } = read;
  if (query !== null) return toQuery({ ...read, query });
  return {
    missing: cutText((missing ?? '').trim(), TEXT_CHARACTERS),
    because: cutText((explanation ?? '').trim(), TEXT_CHARACTERS),
  };
}

export function toQuery({ query, explanation, assumptions, tables, columns }: Mended): WrittenQuery {
  return {
    sql: cleanSql(query),
    explanation: cutText((explanation ?? '').trim(), TEXT_CHARACTERS),
    assumptions: listOf(assumptions, MOST_ASSUMPTIONS, TEXT_CHARACTERS),
    tables: listOf(tables, MOST_NAMES, NAME_CHARACTERS),
    columns: listOf(columns, MOST_NAMES, NAME_CHARACTERS),
  };
}

function listOf(
  texts: readonly string[] | null | undefined,
  most: number,
  characters: number,
): readonly string[] {
  const trimmed = (texts ?? []).map((text) => cutText(text.trim(), characters));
  return trimmed.filter((text) => text !== '').slice(0, most);
}

/** Without the fence around it and the semicolons behind it; comments stay, for the guard to see. */
function cleanSql(text: string): string {
  const trimmed = text.trim();
  const isFenced = trimmed.startsWith('```') && trimmed.endsWith('```') && trimmed.length > 6;
  const inside = isFenced ? trimmed.slice(3, -3).replace(/^[a-z]*(?:[^\S\n]*\n|[^\S\n])/i, '') : trimmed;
  let end = inside.length;
  while (end > 0 && /[\s;]/.test(inside.charAt(end - 1))) end -= 1;
  return inside.slice(0, end).trim();
}

/**
 * The query of a reply that is no JSON of the form: `{"sql": …}`, the last code block that holds a query, or the text
 * from the first line that begins one to its semicolon. A JSON object that breaks off gives nothing: its query may be half.
 */
export function readPlainQuery(text: string, dialect: DialectName): Mended | undefined {
  if (text.length > PLAIN_CHARACTERS) return undefined;
  const thoughtsEnd = text.lastIndexOf(THOUGHTS_END);
  const said = thoughtsEnd < 0 ? text : text.slice(thoughtsEnd + THOUGHTS_END.length);
  for (const value of extractJson(said).values.toReversed()) {
    const read = OTHER_KEY.safeParse(value);
    if (read.success) return { query: read.data.sql };
  }
  if (/["']query["']\s*:/.test(said)) return undefined;
  const fences = [...said.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/gi)].map(([, inside = '']) => inside);
  const fenced = fences.findLast((inside) => QUERY_START.test(inside));
  if (fenced !== undefined) return { query: fenced };
  const start = said.search(QUERY_START);
  if (start < 0 || !/\bFROM\b/i.test(said.slice(start))) return undefined;
  return { query: untilEnd(said.slice(start), dialect) };
}

const OTHER_KEY = z.object({ sql: z.string() });
const THOUGHTS_END = '</think>';
/** A line that begins a query. Prose can begin so, too: outside of a code block a FROM has to follow. */
const QUERY_START = /^[ \t(]*(?:SELECT\b|WITH\s+(?:RECURSIVE\s+)?\S+\s*(?:\([^)]*\)\s*)?AS\b)/im;
/** What goes on with a query after an empty line. */
const GOES_ON =
  /^\s*(?:[(),]|SELECT\b|FROM\b|(?:LEFT|RIGHT|INNER|FULL|CROSS|OUTER|NATURAL)\b|JOIN\b|ON\b|WHERE\b|AND\b|OR\b|GROUP\b|HAVING\b|QUALIFY\b|WINDOW\b|ORDER\b|LIMIT\b|OFFSET\b|FETCH\b|UNION\b|INTERSECT\b|EXCEPT\b|--|\/\*)/i;

function untilEnd(text: string, dialect: DialectName): string {
  const end = lexSql(text.slice(0, SQL_CHARACTERS + 1), dialect).find((token) => token.text === ';');
  if (end !== undefined) return text.slice(0, end.start);
  const [first = '', ...rest] = text.split(/\n\s*\n/);
  const stop = rest.findIndex((paragraph) => !GOES_ON.test(paragraph));
  return [first, ...(stop < 0 ? rest : rest.slice(0, stop))].join('\n\n');
}
