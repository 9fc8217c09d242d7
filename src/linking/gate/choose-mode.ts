/** The gate: whether the whole schema fits, and if not, how it is reduced. */
import { estimateTokens } from '../../catalog/prompt-schema/index.ts';
import type { Retrieved, TableIndex } from '../../knowledge/retrieve/index.ts';
import type { LinkMode } from '../schema/linked-schema.ts';

/** What is known of the schema in scope, of the question and of who can help. */
export interface GateFacts {
  readonly columns: number;
  /** The schema as it would be shown, or how many characters that has; absent: it could not be made. */
  readonly schemaText?: string | number;
  /** Tokens that the writer takes; absent: nobody says. */
  readonly contextWindow?: number;
  readonly dominance: DominanceFacts;
  /** There is a reasoner that can make hypotheses. */
  readonly canReason: boolean;
}

export interface GateSettings {
  /** Share of the context that a schema may take, in [0, 1]. */
  readonly maxContextUsage: number;
  readonly maxColumns: number;
  /** Tokens of a writer that says nothing. */
  readonly defaultWindow: number;
}

export interface ChosenMode {
  readonly mode: Extract<LinkMode, 'full' | 'filter' | 'evilink'>;
  /** Short sentences for people, in the order in which it was decided. */
  readonly why: readonly string[];
  /** Of the whole schema in scope, estimated. */
  readonly tokens: number;
}

/** Source: ThothAI, section 13; 1,000 columns bind where the published 20,000 never do. */
export const GATE_DEFAULTS: GateSettings = { maxContextUsage: 0.4, maxColumns: 1_000, defaultWindow: 32_768 };

/** What a column takes in a schema text with comment and examples, where the text itself is not there. */
const TOKENS_PER_COLUMN = 20;

/**
 * FULL where the schema has few enough columns and takes no more than its share of the context; else FILTER where one
 * reading stands out, or nobody can reason; else EVILINK. Sources: ThothAI, section 9; overview, section 4.
 */
export function chooseMode(facts: GateFacts, settings: GateSettings = GATE_DEFAULTS): ChosenMode {
  const { tokens, note } = measure(facts);
  const over = overLimit(facts, settings, tokens);
  if (facts.columns === 0) return { mode: 'full', why: ['there are no columns to choose from'], tokens };
  if (over === undefined) return { mode: 'full', why: [...note, fits(facts, settings, tokens)], tokens };
  const why = [...note, over];
  const doubt = whyNotDominant(facts.dominance);
  if (doubt === undefined) return { mode: 'filter', why: [...why, dominant(facts.dominance)], tokens };
  if (!facts.canReason)
    return { mode: 'filter', why: [...why, `${doubt}, but no reasoner can weigh readings`], tokens };
  return { mode: 'evilink', why: [...why, doubt], tokens };
}

/** A schema that cannot be shown is judged by its columns: large ones are reduced. */
function measure({ schemaText, columns }: GateFacts): {
  readonly tokens: number;
  readonly note: readonly string[];
} {
  if (typeof schemaText === 'string') return { tokens: estimateTokens(schemaText), note: [] };
  if (schemaText !== undefined && Number.isFinite(schemaText))
    return { tokens: Math.floor(schemaText / 4), note: [] };
  return {
    tokens: columns * TOKENS_PER_COLUMN,
    note: [`the schema text could not be measured: ${TOKENS_PER_COLUMN} tokens a column are assumed`],
  };
}

/** Why the whole schema does not fit; undefined where it does. */
function overLimit(
  { columns, contextWindow }: GateFacts,
  settings: GateSettings,
  tokens: number,
): string | undefined {
  const { maxColumns, maxContextUsage, defaultWindow } = settings;
  const window = contextWindow ?? defaultWindow;
  if (columns > maxColumns)
    return `${columns.toLocaleString('en')} columns are more than ${maxColumns.toLocaleString('en')}`;
  if (!(window > 0)) return 'the writer has no room for a schema';
  if (tokens <= maxContextUsage * window) return undefined;
  return `the schema takes ${percent(tokens / window)} of the context, more than ${percent(maxContextUsage)}`;
}

function fits(
  { columns, contextWindow }: GateFacts,
  { defaultWindow }: GateSettings,
  tokens: number,
): string {
  const share = percent(tokens / (contextWindow ?? defaultWindow));
  return `${share} of the context and ${columns.toLocaleString('en')} columns: the whole schema fits`;
}

/** Why no single reading stands out (overview, section 4, point 2); undefined where one does. */
function whyNotDominant({ metrics, literals, vague }: DominanceFacts): string | undefined {
  if (vague.length > 0) return `“${vague[0]}” means several things`;
  if (metrics.length === 0) return 'no metric is named';
  if (metrics.length > 1) return `${metrics.length} metrics are named: ${metrics.slice(0, 5).join(', ')}`;
  const unsettled = literals.find(({ columns }) => columns !== 1);
  if (unsettled === undefined) return undefined;
  return unsettled.columns === 0
    ? `“${unsettled.text}” is stored in no column`
    : `“${unsettled.text}” is stored in ${unsettled.columns} columns`;
}

function dominant({ metrics: [metric], literals }: DominanceFacts): string {
  const values = literals.length === 0 ? '' : `, and each of its values in one column: ${namesOf(literals)}`;
  return `one reading stands out: it names the metric ${metric}${values}`;
}

function namesOf(literals: DominanceFacts['literals']): string {
  return literals
    .slice(0, 5)
    .map(({ text }) => `“${text}”`)
    .join(', ');
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** Whether a question has one reading that stands out, as far as retrieval can tell. */
export interface DominanceFacts {
  /** Metrics that the question names. */
  readonly metrics: readonly string[];
  /** Words that were found among the stored values, or stand in quotes, and how many columns hold them. */
  readonly literals: readonly { readonly text: string; readonly columns: number }[];
  /** Words that mean several things. */
  readonly vague: readonly string[];
}

export interface DominanceSources {
  readonly tables: TableIndex;
  /** Texts that the question has in quotes: they are meant as values, whether they were found or not. */
  readonly quoted?: readonly string[];
  readonly vague?: readonly string[];
}

/** Reads the facts off what was found. Equal columns of one family of tables count as one. */
export function dominanceFacts(
  { metrics, values }: Pick<Retrieved, 'metrics' | 'values'>,
  { tables, quoted = [], vague = [] }: DominanceSources,
): DominanceFacts {
  const columns = new Map<string, Set<string>>(quoted.map((text) => [text.toLowerCase(), new Set()]));
  for (const { item } of values)
    for (const { keyword, match } of item.values) {
      // What is only like a value resolves nothing.
      if (match === 'similar') continue;
      const key = keyword.toLowerCase();
      columns.set(key, (columns.get(key) ?? new Set()).add(familyColumn(item.columnId, tables)));
    }
  return {
    metrics: metrics.filter(({ score }) => score >= 1).map(({ item }) => item.name),
    literals: [...withoutParts(columns)].map(([text, found]) => ({ text, columns: found.size })),
    vague,
  };
}

function familyColumn(columnId: string, tables: TableIndex): string {
  const tableId = tables.column(columnId)?.tableId;
  const family = tableId === undefined ? undefined : tables.familyOf(tableId);
  return family === undefined ? columnId : `${family.index}${columnId.slice(tableId?.length)}`;
}

/** `York` says nothing where `New York` was found. */
function withoutParts(columns: ReadonlyMap<string, ReadonlySet<string>>): typeof columns {
  const found = [...columns].filter(([, ids]) => ids.size > 0).map(([text]) => text);
  const isPart = (text: string): boolean =>
    found.some((other) => other.length > text.length && ` ${other} `.includes(` ${text} `));
  return new Map([...columns].filter(([text]) => !isPart(text)));
}
