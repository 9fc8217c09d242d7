import { firstText, type Retrieved } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';
import type { TurnDesk } from '../open-turn-desk.ts';
import { tablesNamed } from '../routing/tables-named.ts';
import { metricInWords } from './metric-in-words.ts';

export interface KnownOf {
  /** What people wrote and named, a line each, surest first. No cells of the database. */
  readonly lines: readonly string[];
  /** Ids of tables that are named. */
  readonly tables: readonly string[];
  /** Names of figures that the words are about. */
  readonly figures: readonly string[];
  /** Names of figures there are, where nothing is known of the words. */
  readonly near: readonly string[];
}

/** From here on something is about the words, and not beside them. */
const FITTING = 0.6;
const MOST = 3;
const MOST_COLUMNS = 6;

/** Everything that is known of the words of a text: jargon, figures, dimensions, notes, tables and columns of the name. */
export async function knownOf(words: string, desk: TurnDesk): Promise<KnownOf> {
  const { session, signal } = desk;
  const base = await session.base.open();
  const found = await base.retrieve({ question: words, ...(signal && { signal }) });
  const tables = tablesNamed(words, session.catalog);
  const of = fold(words);
  const described = tables.flatMap((id) => {
    const text = firstText(base.graph.table(id)?.descriptions);
    return text === undefined ? [] : [`Table ${id}: ${text}`];
  });
  const columns = session.catalog.tables
    .flatMap((table) => table.columns)
    .filter(({ name }) => ` ${of} `.includes(` ${fold(name)} `))
    .slice(0, MOST_COLUMNS)
    .map(({ id, type }) => {
      const text = firstText(base.graph.column(id)?.descriptions);
      return `Column ${id} (${type})${text === undefined ? '' : `: ${text}`}`;
    });
  return {
    lines: [...new Set([...businessLines(found, of, session), ...described, ...columns])],
    tables,
    figures: fitting(found.metrics).map(({ name }) => name),
    near: session.semantics.metrics.slice(0, MOST).map(({ name }) => name),
  };
}

function businessLines(
  { jargon, metrics, dimensions, notes }: Retrieved,
  of: string,
  { semantics }: Session,
): readonly string[] {
  const own = semantics.outOfScope.filter(({ term }) => ` ${of} `.includes(` ${fold(term)} `));
  const vague = semantics.vagueTerms.filter(({ term }) => ` ${of} `.includes(` ${fold(term)} `));
  return [
    ...jargon.map(({ term, meaning }) => `${term}: ${meaning}.`),
    ...fitting(metrics).flatMap((metric) => metricInWords(metric, semantics)),
    ...fitting(dimensions).map(({ name, description, column, parent }) => {
      const head = description === undefined ? '' : `: ${description}`;
      return `${name}${head}; it is ${column}${parent === undefined ? '' : `, below ${parent}`}.`;
    }),
    ...vague.map(({ term, options }) => `${term} may mean ${options.join(' or ')}.`),
    ...own.map(({ term, why }) => `${term} is not in this database: ${why}`),
    ...fitting(notes).map(({ text, place }) => `Note: ${text} (${place})`),
  ];
}

function fitting<Item>(found: readonly { readonly item: Item; readonly score: number }[]): readonly Item[] {
  return found
    .filter(({ score }) => score >= FITTING)
    .slice(0, MOST)
    .map(({ item }) => item);
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
