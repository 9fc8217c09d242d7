/** What the writer sees of a question: the linked schema as text, and what people wrote that fits. */
import { type SharedText, type SharingPolicy, sharedSchemaText } from '../catalog/index.ts';
import { chooseAreas, type Metric, type Retrieved } from '../knowledge/index.ts';
import type { LinkedSchema } from '../linking/index.ts';
import type { TokenLedger } from '../model/index.ts';
import type { WriteQuestion } from '../reasoning/index.ts';
import type { Session } from '../session.ts';

/** Domain notes lowered the share of good queries: few, and the most fitting (LinkedIn, section 10). */
const MOST_NOTES = 5;
/** ThothAI, section 13. */
const MOST_EXAMPLES = 5;
const MOST_METRICS = 5;

export interface SqlPromptParts {
  readonly text: string;
  readonly hint?: string | undefined;
  readonly linked: LinkedSchema;
  readonly retrieved: Retrieved;
  /** The present of the question. */
  readonly now: Date;
  /** How people of the product areas want queries written. */
  readonly instructions?: string | undefined;
  readonly ledger: TokenLedger;
  /** What the writer may be shown of values. */
  readonly sharing: SharingPolicy;
  /** Shuffles tables and columns; absent: the order of the catalog. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
}

export function buildSqlPrompt(parts: SqlPromptParts): WriteQuestion {
  const { text, hint, linked, retrieved, now, instructions, ledger, signal } = parts;
  return {
    text,
    ...(hint !== undefined && { hint }),
    knowledge: knowledgeOf(retrieved),
    examples: retrieved.examples
      .filter(({ item }) => !item.isWeak)
      .slice(0, MOST_EXAMPLES)
      .map(({ item: { pair } }) => ({ question: pair.question, sql: pair.sql })),
    schema: schemaTextOf(parts),
    dialect: linked.catalog.dialect,
    today: now.toISOString().slice(0, 10),
    ...(instructions !== undefined && { instructions }),
    ledger,
    ...(signal && { signal }),
  };
}

/** Values that words of the question were found in come first among the examples of their column. */
export function schemaTextOf({
  linked,
  retrieved,
  seed,
  sharing,
}: Pick<SqlPromptParts, 'linked' | 'retrieved' | 'seed' | 'sharing'>): SharedText {
  const values = new Map(
    retrieved.values.map(({ item }) => [item.columnId, item.values.map(({ value }) => value)] as const),
  );
  return sharedSchemaText(linked.catalog, sharing, { values, ...(seed !== undefined && { seed }) });
}

function knowledgeOf({ metrics, notes, jargon }: Retrieved): readonly string[] {
  return [
    ...metrics.slice(0, MOST_METRICS).map(({ item }) => metricText(item)),
    ...jargon.map(({ term, meaning }) => `${term}: ${meaning}`),
    ...notes.slice(0, MOST_NOTES).map(({ item }) => item.text),
  ];
}

/** A metric as a definition the writer has to keep to. */
function metricText({ name, expression, ratio, table, filters, timeColumn, description }: Metric): string {
  const formula = expression ?? (ratio === undefined ? '' : `${ratio.numerator} / ${ratio.denominator}`);
  const conditions = filters.length === 0 ? '' : ` where ${filters.join(' and ')}`;
  const time = timeColumn === undefined ? '' : `; its time is ${timeColumn}`;
  const about = description === undefined ? '' : ` (${description})`;
  return `metric ${name}${about}: ${formula}${table === undefined ? '' : ` over ${table}`}${conditions}${time}`;
}

/** What the product areas of whoever asks say about how queries are to be written; undefined where they say nothing. */
export function instructionsOf({
  config,
  authored,
}: Pick<Session, 'config' | 'authored'>): string | undefined {
  const areas = chooseAreas(config.user, config.areas, authored);
  return areas.flatMap(({ instructions }) => instructions ?? []).join('\n') || undefined;
}
