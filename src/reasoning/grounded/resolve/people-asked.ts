import type { Column, Table } from '../../../catalog/index.ts';
import { lemmaOf, splitName } from '../../../language/index.ts';
import type { SchemaGraph } from '../query/graph/schema-graph.ts';
import { displayColumns } from '../question/mention/display-columns.ts';
import type { Mention } from '../question/mention/mention.ts';
import { isInField } from '../question/vocabulary/index.ts';
import type { Bound, BoundProjection } from './bound.ts';
import type { ResolveContext } from './noun-candidates.ts';

/**
 * "who worked on the repair Discoverer": the one table whose rows are people stands for the "who", unless the question names them
 * itself or asks who somebody is. Of several tables of people nothing says which is meant, but one that is narrowed by a value is not asked for.
 */
export function peopleAsked(mentions: readonly Mention[], { graph }: ResolveContext): string | undefined {
  const [, verb, next] = mentions;
  // "who is the head" names whom it asks for, "who is in the club" does not.
  const isNamedBehind = verb?.cue?.kind === 'be' && next?.cue?.kind !== 'preposition';
  if (!asksWho(mentions) || isNamedBehind) return undefined;
  const known = new Set(mentions.flatMap(({ values }) => values.map(({ tableId }) => tableId)));
  const people = graph.catalog.tables.filter((table) => table.kind !== 'view' && holdsPeople(table));
  const [only, second] = people.filter(({ id }) => !known.has(id));
  if (only === undefined || second !== undefined) return undefined;
  const isNamed = mentions.some(({ nouns }) =>
    nouns.some((noun) => noun.kind === 'table' && noun.score >= NAMED && noun.tableId === only.id),
  );
  return isNamed ? undefined : only.id;
}

/** Tables named worse than this may be meant or not. */
const NAMED = 0.85;

/** The question with that table in the place of "who". */
export function withPeople(mentions: readonly Mention[], tableId: string): readonly Mention[] {
  return mentions.map((mention, at) =>
    at > 0
      ? mention
      : {
          ...mention,
          cue: undefined,
          nouns: [{ kind: 'table', id: tableId, tableId, score: 0.95, why: 'its rows are people' }],
        },
  );
}

/** By what the table is called, or by first and last names; whoever has no name is told by another table. */
function holdsPeople(table: Table): boolean {
  const names = displayColumns(table);
  if (names.length === 0 || names.some(({ family }) => family !== 'text')) return false;
  const words = splitName(table.name).filter((word) => !OF_TABLES.test(word));
  const last = lemmaOf(words.at(-1) ?? '');
  return last === 'person' || isInField(last, 'person') || names.length === 2;
}

/** What a table is called besides what its rows are. */
const OF_TABLES = /^(?:index|master|table|list|info|information|data|record|detail)s?$/;

/** "who is the head of Surgery?": whoever the number points to is shown by name. */
export function withNames(bound: Bound, context: ResolveContext): Bound {
  const named = bound.projections.map((item) => namesFor(item, context) ?? [item]);
  if (named.every(([first], at) => first === bound.projections[at])) return bound;
  const projections = named.flat();
  const tables = new Set([...bound.tables, ...projections.flatMap(({ column }) => column?.tableId ?? [])]);
  return { ...bound, projections, tables };
}

function namesFor(
  item: BoundProjection,
  { graph, displayColumn }: ResolveContext,
): readonly BoundProjection[] | undefined {
  const { column, aggregate } = item;
  if (column === undefined || aggregate !== undefined || column.family !== 'number') return undefined;
  const edges = graph.edges(column.tableId).filter(({ multiplies }) => !multiplies);
  const own = edges.find(({ fromColumns: [key, second] }) => key === column.id && second === undefined);
  const isOne = own !== undefined && edges.every((edge) => edge === own || edge.to !== own.to);
  if (!isOne || own.to === column.tableId) return undefined;
  const names = displayColumns(graph.table(own.to), displayColumn(own.to));
  return names.every(({ family }) => family === 'text')
    ? names.map((name) => ({ ...item, column: name }))
    : undefined;
}

/** The question opens with "who", so that people are asked for. */
export function asksWho([first]: readonly Mention[]): boolean {
  return /^who(?:m|'s|s)?$/i.test(first?.text ?? '');
}

/** "who works in oil and gas?" is not told by a year, a code or the number of a row: what is shown is a name, or points to whoever it is. */
export function tellsWho({ projections }: Bound, graph: SchemaGraph): boolean {
  return projections.some(
    ({ column, aggregate }) => aggregate !== undefined || column === undefined || mayName(column, graph),
  );
}

function mayName(column: Column, graph: SchemaGraph): boolean {
  const points = graph
    .edges(column.tableId)
    .some(
      ({ multiplies, fromColumns: [key], to }) => !multiplies && key === column.id && hasNames(to, graph),
    );
  return points || (column.family === 'text' && !NO_NAME.test(splitName(column.name).at(-1) ?? ''));
}

/** An appointment has a number and no name: whoever it points to is nobody. */
function hasNames(tableId: string, graph: SchemaGraph): boolean {
  return displayColumns(graph.table(tableId)).every(({ family }) => family === 'text');
}

const NO_NAME = /^(?:code|date|time|status|type|year|number|id|amount|price|phone|email|address)$/;
