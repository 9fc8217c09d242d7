/** Queries in the replies of models: as JSON of the form, or as bare SQL where a weak model forgets the form. */
import { z } from 'zod';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { lexSql } from '../../sql/index.ts';
import type {
  AskedBack,
  NotWritten,
  WriteReply,
  WrittenAssumption,
  WrittenQuery,
} from '../roles/write-reasoner.ts';
import { extractJson } from './extract-json.ts';
import { cutText } from './prompts/blocks/data-block.ts';

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
const HEAD = { thinking: TEXT, thoughts: TEXT };
const TAIL = { explanation: TEXT, assumptions: LIST, tables: LIST, columns: LIST };
const CHOICE = z.object({ label: z.string(), sql: z.string() });
const WHOLE_ASSUMPTION = z.object({
  text: z.string(),
  phrase: TEXT,
  of_ten: z.number().nullish(),
  choices: z.array(CHOICE).nullish(),
});
const ASSUMPTION = z.union([z.string(), WHOLE_ASSUMPTION]);
const OPTION = z.object({ label: z.string(), question: TEXT, sql: TEXT });

export const WRITTEN = z.object({
  ...HEAD,
  outcome: TEXT,
  title: TEXT,
  sql: TEXT,
  pair: z.number().int().nullish(),
  assumptions: z.array(ASSUMPTION).nullish(),
  unused: z.array(z.object({ text: z.string(), why: TEXT })).nullish(),
  phrase: TEXT,
  gap: TEXT,
  metric: TEXT,
  dimension: TEXT,
  ask: TEXT,
  options: z.array(OPTION).nullish(),
  reason: TEXT,
  missing: TEXT,
  message: TEXT,
  nearest: LIST,
  /** As weak models and older recordings have it. */
  query: TEXT,
  explanation: TEXT,
});
export const MENDED = z.object({ query: z.string(), ...TAIL });

type WholeAssumption = z.infer<typeof WHOLE_ASSUMPTION>;
type Written = z.infer<typeof WRITTEN>;
type Mended = z.infer<typeof MENDED>;

const GAPS = ['time', 'intent', 'term', 'value', 'join-path', 'metric'] as const;
const REASONS = ['metric', 'dimension', 'scope', 'unsafe'] as const;
const MOST_OPTIONS = 6;
const MOST_UNUSED = 20;

/** What is wrong with the text of a query, for the model to mend; whether it is SQL is found out by whoever parses it. */
export function wrongWithQuery({ query }: Mended): string | undefined {
  const { length } = cleanSql(query);
  if (length === 0) return 'query: it is empty';
  return length > SQL_CHARACTERS ? `query: it is longer than ${SQL_CHARACTERS} characters` : undefined;
}

/** What a reply lacks that its outcome needs; `pairs` are the verified pairs that it was shown. */
export function wrongWithReply(reply: Written, pairs: number): string | undefined {
  switch (outcomeOf(reply)) {
    case 'answered': {
      const { pair } = reply;
      if (pair != null && sqlOf(reply) === '')
        return pair >= 1 && pair <= pairs ? undefined : `pair: there is no verified pair ${pair}`;
      return wrongWithQuery({ query: sqlOf(reply) })?.replace('query', 'sql');
    }
    case 'clarify':
      if ((reply.ask ?? '').trim() === '') return 'ask: a question back needs its words';
      return labelsOf(reply).size < 2
        ? 'options: a question back needs two or more with labels of their own'
        : undefined;
    case 'follow_up':
      return (reply.dimension ?? '').trim() === '' ? 'dimension: name the one that is lacking' : undefined;
    case 'reject':
      return `${reply.missing ?? ''}${reply.message ?? ''}${reply.explanation ?? ''}`.trim() === ''
        ? 'missing: nothing says what the schema lacks'
        : undefined;
    case undefined:
      return `outcome: it is answered, clarify, follow_up or reject, not ${JSON.stringify(reply.outcome)}`;
  }
}

function labelsOf({ options }: Written): ReadonlySet<string> {
  const labels = (options ?? []).map(({ label }) => label.trim().toLowerCase());
  return new Set(labels.filter((label) => label !== ''));
}

/** A reply without an outcome says it by what it holds. */
function outcomeOf(reply: Written): 'answered' | 'clarify' | 'follow_up' | 'reject' | undefined {
  const said = reply.outcome?.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  if (said === 'answered' || said === 'clarify' || said === 'follow_up' || said === 'reject') return said;
  if (said === 'answer') return 'answered';
  if (said !== undefined && said !== '') return undefined;
  return sqlOf(reply) !== '' || reply.pair != null ? 'answered' : 'reject';
}

function sqlOf({ sql, query }: Pick<Written, 'sql' | 'query'>): string {
  return (sql ?? query ?? '').trim();
}

export function toWritten(read: Written): WriteReply {
  const outcome = outcomeOf(read);
  if (outcome === 'clarify' || outcome === 'follow_up') return toAskedBack(read, outcome);
  if (outcome === 'reject') return toNotWritten(read);
  const unused = (read.unused ?? [])
    .slice(0, MOST_UNUSED)
    .map(({ text, why }) => ({ text: short(text), why: short(why ?? '') }));
  return {
    sql: cleanSql(sqlOf(read)),
    explanation: textOf(read.title ?? read.explanation),
    assumptions: assumptionsIn(read),
    ...(unused.length > 0 && { unused }),
    ...(sqlOf(read) === '' && read.pair != null && { pair: read.pair }),
    ...{ tables: [], columns: [] },
  };
}

function assumptionsIn({ assumptions }: Written): readonly WrittenAssumption[] {
  return (assumptions ?? [])
    .map((one) => (typeof one === 'string' ? { text: one } : one))
    .filter(({ text }) => text.trim() !== '')
    .slice(0, MOST_ASSUMPTIONS)
    .map(({ text, phrase, of_ten, choices }: WholeAssumption) => ({
      text: textOf(text),
      phrase: short(phrase ?? ''),
      likely: shareOf(of_ten),
      choices: (choices ?? [])
        .slice(0, MOST_OPTIONS)
        .map(({ label, sql }) => ({ label: short(label), sql: cleanSql(sql) })),
    }));
}

/** So many of ten, as a share; a number that is none says nothing. */
function shareOf(ofTen: number | null | undefined): number | undefined {
  return ofTen == null || ofTen < 0 || ofTen > 10 ? undefined : ofTen / 10;
}

function toAskedBack(read: Written, outcome: 'clarify' | 'follow_up'): AskedBack {
  const { ask, phrase, gap, metric, dimension, options } = read;
  return {
    ask: textOf(ask) || `Which ${textOf(dimension)} do you mean?`,
    phrase: short(phrase ?? dimension ?? ''),
    gap: GAPS.find((one) => one === gap) ?? 'term',
    ...(outcome === 'follow_up' && {
      lacks: { metric: short(metric ?? ''), dimension: short(dimension ?? '') },
    }),
    options: distinctOptions(options ?? []).map(({ label, question, sql }) => ({
      label: short(label),
      question: textOf(question),
      ...(sql != null && sql.trim() !== '' && { sql: cleanSql(sql) }),
    })),
  };
}

/** The first of each label: people pick by it. */
function distinctOptions(options: readonly z.infer<typeof OPTION>[]): readonly z.infer<typeof OPTION>[] {
  const byLabel = new Map(options.toReversed().map((option) => [option.label.trim().toLowerCase(), option]));
  return options
    .filter(
      (option) => option.label.trim() !== '' && byLabel.get(option.label.trim().toLowerCase()) === option,
    )
    .slice(0, MOST_OPTIONS);
}

function toNotWritten({ missing, message, explanation, reason, nearest }: Written): NotWritten {
  const why = REASONS.find((one) => one === reason);
  return {
    missing: textOf(missing),
    because: textOf(message ?? explanation),
    ...(why !== undefined && { reason: why }),
    ...(nearest != null && { nearest: listOf(nearest, MOST_OPTIONS, NAME_CHARACTERS) }),
  };
}

function textOf(text: string | null | undefined): string {
  return cutText((text ?? '').trim(), TEXT_CHARACTERS);
}

function short(text: string): string {
  return cutText(text.trim(), NAME_CHARACTERS);
}

export function toQuery({ query, explanation, assumptions, tables, columns }: Mended): WrittenQuery {
  return {
    sql: cleanSql(query),
    explanation: cutText((explanation ?? '').trim(), TEXT_CHARACTERS),
    assumptions: listOf(assumptions, MOST_ASSUMPTIONS, TEXT_CHARACTERS).map((text) => ({ text })),
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
  const answer = ANSWER.exec(said)?.[1]?.trim();
  if (answer !== undefined && QUERY_START.test(answer)) return { query: answer };
  const fences = [...said.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/gi)].map(([, inside = '']) => inside);
  const fenced = fences.findLast((inside) => QUERY_START.test(inside));
  if (fenced !== undefined) return { query: fenced };
  const start = said.search(QUERY_START);
  if (start < 0 || !/\bFROM\b/i.test(said.slice(start))) return undefined;
  return { query: untilEnd(said.slice(start), dialect) };
}

/** The same for a reply that may decline: an answer in words is why there is no query. */
export function readPlainReply(text: string, dialect: DialectName): Written | undefined {
  const query = readPlainQuery(text, dialect);
  if (query !== undefined) return query;
  const answer = text.length > PLAIN_CHARACTERS ? undefined : ANSWER.exec(text)?.[1]?.trim();
  return answer === undefined || answer === '' || /[{[]/.test(answer.charAt(0))
    ? undefined
    : { outcome: 'reject', message: answer };
}

/** What says another outcome holds no answer, whatever else stands in it. */
const OTHER_KEY = z.object({ sql: z.string(), outcome: z.enum(['answered', 'answer']).optional() });
const THOUGHTS_END = '</think>';
/** As models of our own recipe reply: `<think>…</think><answer>…</answer>`. */
const ANSWER = /<answer>([\s\S]*?)<\/answer>/i;
/** A line that begins a query. Prose can begin so, too: outside of a code block a FROM has to follow. */
const QUERY_START = /^[ \t(]*(?:SELECT\b|WITH\s+(?:RECURSIVE\s+)?\S+\s*(?:\([^)]*\)\s*)?AS\b)/im;
/** What goes on with a query after an empty line. */
const GOES_ON =
  /^\s*(?:[(),]|SELECT\b|FROM\b|(?:LEFT|RIGHT|INNER|FULL|CROSS|OUTER|NATURAL)\b|JOIN\b|ON\b|WHERE\b|AND\b|OR\b|GROUP\b|HAVING\b|QUALIFY\b|WINDOW\b|ORDER\b|LIMIT\b|OFFSET\b|FETCH\b|UNION\b|INTERSECT\b|EXCEPT\b|--|\/\*)/i;

function untilEnd(text: string, dialect: DialectName): string {
  const end = lexSql(text.slice(0, SQL_CHARACTERS + 1), dialect).find((token) => token.text === ';');
  if (end !== undefined) return text.slice(0, end.start);
  const gap = [...text.matchAll(/\n\s*\n/g)].find(
    ({ index, 0: blank }) => !GOES_ON.test(text.slice(index + blank.length)),
  );
  return text.slice(0, gap?.index);
}
