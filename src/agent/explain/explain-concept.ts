import { firstText } from '../../knowledge/graph/index.ts';
import type { Retrieved } from '../../knowledge/retrieve/index.ts';
import type { Metric, SemanticModel } from '../../knowledge/semantic/index.ts';
import type { Session } from '../../session/index.ts';
import { tablesNamed } from '../routing/read-reply.ts';
import type { TurnContext } from '../turn/turn-context.ts';
import { type Served, type ServedTurn, said } from '../turn/turn-context.ts';
import { explainTables } from './explain-tables.ts';
import { whatCanBeAsked } from './what-can-be-asked.ts';

/** What a word means or a figure is made of: from jargon, the semantic model, notes and names; nothing is made up. */
export async function explainConcept(asked: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { turn, talk } = asked;
  const { session, tell } = turnContext;
  tell({ kind: 'stage', stage: 'retrieve' });
  const words = conceptOf(turn.text);
  if (/\b(?:database|data ?set|schema)\b/i.test(words) && words.split(' ').length <= 4) {
    const { text, examples } = whatCanBeAsked(session);
    return said(text, talk, examples);
  }
  const { lines, tables, figures, near } = await knownOf(words, turnContext);
  if (lines.length > 0) return said(lines.join('\n'), talk, figures);
  if (tables.length > 0) return explainTables(tables, talk, turnContext);
  const { examples } = whatCanBeAsked(session);
  const known = near.length === 0 ? '' : ` Known figures: ${near.join(', ')}.`;
  return said(
    `Nothing here says what “${words}” is: no figure, note, term, table or column has that name.${known}`,
    talk,
    examples,
  );
}

/** Words that ask what something means, and are not what it is. */
const ASKING = [
  /^(?:please|can you|could you|so|and|but|ok|okay|hi|hello|hey)\b[\s,]*/i,
  /^(?:explain|clarify|define|describe|tell me|summari[sz]e)\b(?:\s+(?:to me|me|us|about|more about))*\s*/i,
  /^(?:what|how)(?:['’]s)?\s+(?:is|are|was|were|does|do|did|goes into|makes up|counts as|counts (?:for|towards))?\s*/i,
  /^(?:you|we|one|they)\s+(?:calculate|compute|define|measure|count|derive)\s+/i,
  /^(?:the\s+)?(?:definition|meaning)\s+of\s+/i,
  /^(?:meant by|calculate|compute|define|measure)\s+/i,
  /^(?:the|an?|term|word|metric|figure|column|our|your|this|that)\s+/i,
  /\s+(?:mean|stand for|refer to|consist of|made (?:up )?of|composed of|based on|computed from|derived from|(?:calculated|computed|defined|measured|counted|derived|determined))(?:\s+(?:here|exactly|in this database))?$/i,
] as const;

/** `what does ticket income mean?` → `ticket income`. */
function conceptOf(text: string): string {
  let rest = text
    .replace(/\s+/gu, ' ')
    .replace(/[\s?.!]+$/, '')
    .trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of ASKING) rest = rest.replace(pattern, '').trim();
  }
  return rest === '' ? text : rest;
}

interface KnownOf {
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
async function knownOf(words: string, turnContext: TurnContext): Promise<KnownOf> {
  const { session, signal } = turnContext;
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

/** What a figure is made of, a line each; those of a ratio are told with it. */
function metricInWords(metric: Metric, semantics: Pick<SemanticModel, 'metrics'>): readonly string[] {
  const { name, synonyms, description, table, expression, ratio, filters } = metric;
  const { mandatoryDimensions, timeColumn, unit } = metric;
  const called = synonyms.length === 0 ? '' : ` (also ${synonyms.slice(0, 4).join(', ')})`;
  const formula = ratio === undefined ? expression : `${ratio.numerator} / ${ratio.denominator}`;
  const over = table === undefined ? '' : ` over ${table}`;
  const where = filters.length === 0 ? '' : `, where ${filters.join(' and ')}`;
  const head = description === undefined ? '' : `: ${description.replace(/[.\s]+$/, '')}`;
  const rules = [
    unit === undefined ? '' : `in ${unit}`,
    timeColumn === undefined ? '' : `its time is ${timeColumn}`,
    mandatoryDimensions.length === 0 ? '' : `only with ${mandatoryDimensions.join(' and ')}`,
  ].filter((rule) => rule !== '');
  const parts = ratio === undefined ? [] : [ratio.numerator, ratio.denominator];
  const below = semantics.metrics.filter((one) => parts.includes(one.name) && one.ratio === undefined);
  return [
    `${name}${called}${head}.`,
    ...(formula === undefined
      ? []
      : [`${name} = ${formula}${over}${where}${rules.length === 0 ? '' : `; ${rules.join('; ')}`}.`]),
    ...below.flatMap((one) => metricInWords(one, semantics)),
  ];
}
