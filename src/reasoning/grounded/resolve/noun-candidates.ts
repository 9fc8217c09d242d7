import { type Column, epochUnit } from '../../../catalog/index.ts';
import { splitName } from '../../../language/index.ts';
import type { SchemaGraph } from '../query/graph/schema-graph.ts';
import type { Mention } from '../question/mention/mention.ts';
import type { ListOwners } from './list-owners.ts';

export interface ColumnChoice {
  readonly column: Column;
  readonly score: number;
}

/** What a resolver needs to know while it binds slots. */
export interface ResolveContext {
  readonly graph: SchemaGraph;
  /** Tables the question names, with how well. */
  readonly named: ReadonlyMap<string, number>;
  readonly displayColumn: (tableId: string) => string | undefined;
  /** The date on which a row of a table came to be, where one is plain. */
  readonly ownDate?: (tableId: string) => Column | undefined;
  /** Tables whose rows are shown, counted or summed: a period is when those came to be. */
  readonly subjects?: ReadonlySet<string>;
  /** What the columns of a list belong to, where the question says so. */
  readonly owners?: ListOwners;
}

/** Columns tried for one mention: in a catalog of thousands of tables a name repeats. */
const MAX_CHOICES = 12;

/** Columns a mention may stand for that fit a demand, best first. Score is in [0, 1]. */
export function columnChoices(
  mention: Mention,
  context: ResolveContext,
  fits: (column: Column) => boolean,
): ColumnChoice[] {
  const fitting: ColumnChoice[] = [];
  for (const choice of rankedColumns(mention, context)) {
    if (fitting.length === MAX_CHOICES) break;
    if (fits(choice.column)) fitting.push(choice);
  }
  return fitting;
}

const ranked = new WeakMap<ResolveContext, Map<Mention, readonly ColumnChoice[]>>();

/** Every column a mention may name, those in tables the question names first among equals; ranked once a question. */
function rankedColumns(mention: Mention, context: ResolveContext): readonly ColumnChoice[] {
  const ofContext = ranked.get(context) ?? new Map<Mention, readonly ColumnChoice[]>();
  ranked.set(context, ofContext);
  const known = ofContext.get(mention);
  if (known !== undefined) return known;
  const weighed = mention.nouns
    .filter((noun) => noun.kind === 'column')
    .map(({ id, tableId, score }) => ({
      choice: { column: context.graph.column(id), score },
      weight: score + 0.3 * (context.named.get(tableId) ?? 0),
    }))
    .sort((a, b) => b.weight - a.weight);
  const choices = weighed.map(({ choice }) => choice);
  ofContext.set(mention, choices);
  return choices;
}

/** Tables a mention may stand for, best first. */
export function tableChoices(mention: Mention): { readonly tableId: string; readonly score: number }[] {
  return mention.nouns
    .filter((noun) => noun.kind === 'table')
    .map((noun) => ({ tableId: noun.tableId, score: noun.score }));
}

export interface AttributeChoice extends ColumnChoice {
  /** The attribute turns the direction round: the oldest has the smallest birth date. */
  readonly isReversed: boolean;
}

/** Columns of the named tables that carry an attribute ("age", "-birth date"), best attribute first. */
export function attributeChoices(
  attributes: readonly string[],
  context: ResolveContext,
  fits: (column: Column) => boolean,
): AttributeChoice[] {
  const found: AttributeChoice[] = [];
  attributes.forEach((attribute, rank) => {
    const isReversed = attribute.startsWith('-');
    const words = splitName(isReversed ? attribute.slice(1) : attribute);
    for (const column of context.graph.columnsWith(words[0] ?? '')) {
      const own = splitName(column.name);
      if (!fits(column) || !words.every((word) => own.includes(word))) continue;
      const named = context.named.get(column.tableId) ?? 0;
      found.push({
        column,
        isReversed,
        score: 0.85 - rank * 0.03 - (own.length - words.length) * 0.05 + (named > 0.8 ? 0.1 : -0.25),
      });
    }
  });
  return found.sort((a, b) => b.score - a.score).slice(0, 6);
}

export function isNumeric(column: Column): boolean {
  if (epochUnit(column) !== undefined) return false;
  return column.family === 'number' || column.profile?.pattern === 'number' || holdsNumbers(column);
}

/** Numbers kept as text, with a word like "null" or "n/a" among them. */
function holdsNumbers({ family, profile }: Column): boolean {
  const examples = profile?.examples ?? [];
  const numbers = examples.filter((example) => /^[+-]?\d+(?:\.\d+)?$/.test(example));
  return family === 'text' && examples.length >= 5 && numbers.length >= 0.8 * examples.length;
}

export function isMeasure(column: Column): boolean {
  return isNumeric(column) || isTimeLike(column) || /year|date/i.test(column.name);
}

/** Holds a moment: a date, a timestamp, or a year as a number. */
export function isTimeLike(column: Column): boolean {
  return (
    column.family === 'time' ||
    column.profile?.pattern === 'iso-date' ||
    column.profile?.pattern === 'iso-timestamp' ||
    isYear(column) ||
    epochUnit(column) !== undefined ||
    (column.family === 'text' && /date|time/i.test(column.name))
  );
}

export function isYear(column: Column): boolean {
  return /year|(^|_)yr/i.test(column.name) && column.family !== 'time';
}

/** A year as a number, by its name or, as in `founded`, by what it holds. */
export function countsYears(column: Column): boolean {
  return isYear(column) || holdsYears(column);
}

function holdsYears({ family, profile }: Column): boolean {
  const [min, max] = [Number(profile?.min ?? Number.NaN), Number(profile?.max ?? Number.NaN)];
  return family === 'number' && Number.isInteger(min) && Number.isInteger(max) && min >= 1000 && max <= 2100;
}

/** For each table that the question names well: its figure, when it has just one ("payments above 10 dollars"). */
export function onlyMeasures(context: ResolveContext): ColumnChoice[] {
  return [...context.named].flatMap(([tableId, named]) => {
    const table = context.graph.table(tableId);
    const keys = new Set([
      ...table.primaryKey,
      ...context.graph.edges(tableId).flatMap((edge) => edge.fromColumns),
    ]);
    const measures = table.columns.filter(
      (column) => column.family === 'number' && !keys.has(column.id) && !isYear(column),
    );
    const [only, second] = measures;
    return only === undefined || second !== undefined || named < 0.85 ? [] : [{ column: only, score: 0.6 }];
  });
}
