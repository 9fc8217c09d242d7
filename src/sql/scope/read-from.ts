/** FROM and its joins, one source after the other. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { createSource } from './create-source.ts';
import { mergeNatural, mergeUsing } from './merge-columns.ts';
import { readAlias } from './read-alias.ts';
import { readExpression } from './read-expression.ts';
import { readRelation } from './read-relation.ts';
import { showAll } from './read-star.ts';
import { emptyLevel, type Place, type Reading } from './reading.ts';
import type { Source } from './scope.ts';

/**
 * Reads the sources of a SELECT; gives the ON conditions that are still to be read, where they may name sources and
 * aliases that come after them.
 */
export function readFrom(reading: Reading, select: SqlNode, place: Place): readonly SqlNode[] {
  const waiting: SqlNode[] = [];
  const from = child(select, 'from');
  const relation = from && child(from, 'this');
  const joins = childrenIn(select, 'joins');
  if (relation !== undefined) readJoined(reading, { relation, joins }, { place, waiting });
  return waiting;
}

/** Reads one relation with all its joins, as it stands without FROM. */
export function readRelations(reading: Reading, relation: SqlNode, place: Place): void {
  const waiting: SqlNode[] = [];
  readNested(reading, relation, { place, waiting });
  readWaiting(reading, waiting, place);
}

/** Reads conditions that waited until all sources were known. */
export function readWaiting(reading: Reading, waiting: readonly SqlNode[], place: Place): void {
  for (const on of waiting) readOn(reading, on, { place, start: 0 });
}

interface Joined {
  readonly relation: SqlNode;
  readonly joins: readonly SqlNode[];
}

interface FromPlace {
  readonly place: Place;
  readonly waiting: SqlNode[];
}

/** A relation and the joins after it. */
function readJoined(reading: Reading, { relation, joins }: Joined, from: FromPlace): void {
  const { place, waiting } = from;
  const { sources } = place.level;
  const { rules } = reading;
  const outerStart = sources.length;
  let start = outerStart;
  readSource(reading, relation, from);
  for (const join of joins) {
    if (join.flags.comma !== undefined && rules.commaBindsLoosely) start = sources.length;
    const before = sources.length;
    const right = child(join, 'this');
    if (right !== undefined) readNested(reading, right, from);
    const match = child(join, 'match_condition');
    if (match !== undefined) readOn(reading, match, { place, start });
    const on = readCondition(reading, join, { place, start, before });
    if (on !== undefined && rules.onSeesLaterSources) waiting.push(on);
    else if (on !== undefined)
      readOn(reading, on, { place: onPlace(reading, place, { start, outerStart }), start });
    if (join.flags.kind === 'SEMI' || join.flags.kind === 'ANTI') sources.length = before;
  }
}

interface Starts {
  /** Where the sources begin that are joined with each other. */
  readonly start: number;
  /** Where those before the comma begin. */
  readonly outerStart: number;
}

/** Where ON may name sources before a comma, they are looked at after those that are joined. */
function onPlace({ rules }: Reading, place: Place, { start, outerStart }: Starts): Place {
  const { level } = place;
  if (!rules.onSeesCommaSources || start === outerStart) return place;
  const before = { ...level, sources: level.sources.slice(outerStart, start) };
  return { ...place, level: { ...level, outer: before } };
}

interface JoinPlace {
  readonly place: Place;
  /** Where the sources that the join sees begin. */
  readonly start: number;
  /** Where the sources of its right side begin. */
  readonly before: number;
}

/** Merges the columns of USING and NATURAL; gives the condition of ON. */
function readCondition(reading: Reading, join: SqlNode, at: JoinPlace): SqlNode | undefined {
  const { level } = at.place;
  const sides = { left: level.sources.slice(at.start, at.before), right: level.sources.slice(at.before) };
  const using = childrenIn(join, 'using');
  if (using.length > 0) mergeUsing(reading, using, { level, ...sides });
  else if (join.flags.method === 'NATURAL') mergeNatural(reading, join, { level, ...sides });
  return child(join, 'on');
}

function readOn(reading: Reading, on: SqlNode, { place, start }: Pick<JoinPlace, 'place' | 'start'>): void {
  const { level } = place;
  level.clause = 'on';
  level.firstSource = start;
  readExpression(reading, on, place);
  level.firstSource = 0;
  level.clause = 'from';
}

/** A relation with joins of its own, as `a JOIN b JOIN c ON … ON …` has on b. */
function readNested(reading: Reading, relation: SqlNode, from: FromPlace): void {
  const joins = childrenIn(relation, 'joins');
  if (joins.length > 0) readJoined(reading, { relation, joins }, from);
  else readSource(reading, relation, from);
}

function readSource(reading: Reading, relation: SqlNode, from: FromPlace): void {
  const { place } = from;
  const inner = bracketedRelation(relation);
  if (inner === undefined) place.level.sources.push(readRelation(reading, relation, place));
  else if (readAlias(relation).node === undefined) readNested(reading, inner, from);
  else place.level.sources.push(readGroup(reading, { relation, inner }, place));
}

/** What stands in the brackets of `(a JOIN b …)`; brackets around a query have none. */
function bracketedRelation(relation: SqlNode): SqlNode | undefined {
  const inner = relation.type === 'Subquery' ? child(relation, 'this') : undefined;
  return inner !== undefined && !isQuery(inner) ? inner : undefined;
}

const QUERIES: ReadonlySet<string> = new Set([
  'Select',
  'Union',
  'Intersect',
  'Except',
  'Values',
  'Pivot',
  'Command',
]);

/** Each of many brackets in each other asks what the innermost holds. */
const KNOWN_QUERIES = new WeakMap<SqlNode, boolean>();

function isQuery(node: SqlNode): boolean {
  if (node.type !== 'Subquery') return QUERIES.has(node.type);
  const known = KNOWN_QUERIES.get(node) ?? holdsQuery(node);
  KNOWN_QUERIES.set(node, known);
  return known;
}

function holdsQuery(node: SqlNode): boolean {
  const inner = child(node, 'this');
  const isRelation = node.children.some(({ role }) => role === 'alias' || role === 'joins');
  return !isRelation && inner !== undefined && isQuery(inner);
}

interface Group {
  readonly relation: SqlNode;
  readonly inner: SqlNode;
}

/** `(a JOIN b …) AS x`: outside, only x can be named. */
function readGroup(reading: Reading, { relation, inner }: Group, { level, ctes }: Place): Source {
  const grouped = emptyLevel(level.scope, level.outer);
  const place = { level: grouped, ctes };
  readRelations(reading, inner, place);
  const alias = readAlias(relation);
  return createSource(reading, { kind: 'group', node: relation, alias, columns: showAll(reading, grouped) });
}
