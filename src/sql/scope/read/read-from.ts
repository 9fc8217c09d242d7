/** FROM and its joins, one source after the other. */
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { createSource, NO_COLUMNS } from '../state/columns.ts';
import { uniteLineages } from '../state/lineage.ts';
import { readAlias } from '../state/names.ts';
import {
  emptyLevel,
  type Frame,
  type Level,
  type OpenScope,
  type Place,
  type Reading,
  takeSteps,
} from '../state/reading.ts';
import type { Held, MergedColumn, Output, Reference, Source } from '../state/scope.ts';
import {
  ambiguousColumn,
  ambiguousReference,
  columnReference,
  openReference,
  unknownColumnOf,
} from './create-reference.ts';
import { readExpression } from './read-expression.ts';
import { readRelation } from './read-relation.ts';
import { showAll } from './read-star.ts';

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

// USING and NATURAL: columns of both sides that become one.

interface Sides {
  readonly level: Level;
  readonly left: readonly Source[];
  readonly right: readonly Source[];
}

/** A USING column must be on both sides, and is one column from then on. */
function mergeUsing(reading: Reading, names: readonly SqlNode[], sides: Sides): void {
  for (const name of names) {
    const key = (name.value ?? '').toLowerCase();
    const left = findLeft(reading, key, sides);
    const right = findColumn(key, sides.right, sides.level);
    const reference = usingReference(reading, name, { sides, left, right });
    reading.references[name.id] = reference;
    reading.used.push(reference.lineage);
    if (left.length > 0 && right.length > 0) merge(sides.level, key, [...left, ...right]);
  }
}

function findLeft(reading: Reading, key: string, { left, level }: Sides): readonly Held[] {
  const { rules } = reading;
  takeSteps(reading, left.length);
  const held = findColumn(key, left, level);
  return rules.usingTakesFirst ? held.slice(0, 1) : held;
}

/** The holders of a name on one side; those already merged count as one and come first. */
function findColumn(key: string, sources: readonly Source[], { merged }: Level): readonly Held[] {
  const known = merged.get(key);
  return sources.flatMap((source) => {
    const output = source.columns.byKey.get(key);
    if (output === undefined) return [];
    if (known?.holds.has(source) === true)
      return known.sources[0] === source ? [{ source, output: known.output }] : [];
    return [{ source, output }];
  });
}

interface Found {
  readonly sides: Sides;
  readonly left: readonly Held[];
  readonly right: readonly Held[];
}

function usingReference(reading: Reading, name: SqlNode, { sides, left, right }: Found): Reference {
  const missing = [
    { found: right, among: sides.right },
    { found: left, among: sides.left },
  ].find(
    ({ found, among }) => found.length === 0 && among.every((source) => source.columns.openness === 'none'),
  );
  if (missing !== undefined) return unknownColumnOf(reading, [name], missing.among);
  const twice = [left, right].find((held) => isTwice(reading, held));
  if (twice !== undefined) return ambiguousReference([name], twice);
  const first = left[0] ?? right[0];
  if (first === undefined) {
    const open = [...sides.left, ...sides.right].filter((source) => source.columns.openness !== 'none');
    return openReference(name.value ?? '', open);
  }
  const both = [...left, ...right];
  const output = mergeOutputs(both.map((candidate) => candidate.output));
  const sources = both.map((candidate) => candidate.source);
  return columnReference(sides.level.scope, { source: first.source, output }, sources);
}

/** More than one column of a name on one side; also inside one derived table, where that is an error. */
function isTwice({ rules }: Reading, held: readonly Held[]): boolean {
  const [only] = held;
  if (only === undefined || held.length > 1) return only !== undefined;
  const { key } = only.output;
  return rules.repeatedIsAmbiguous && key !== undefined && only.source.columns.repeated.has(key);
}

/** The join itself is the node of a name that one side has twice, since nothing in the text names it. */
function mergeNatural(reading: Reading, join: SqlNode, sides: Sides): void {
  const { level, right } = sides;
  for (const source of right) {
    for (const { key, name } of source.columns.list) {
      const left = key === undefined ? [] : findLeft(reading, key, sides);
      if (key === undefined || left.length === 0) continue;
      const own = findColumn(key, right, level);
      const twice = [left, own].find((held) => isTwice(reading, held));
      if (twice !== undefined) reading.references[join.id] = ambiguousColumn(name ?? key, twice);
      merge(level, key, [...left, ...own]);
    }
  }
}

function merge(level: Level, key: string, candidates: readonly Held[]): void {
  const known: MergedColumn | undefined = level.merged.get(key);
  const holds = new Set([...(known?.sources ?? []), ...candidates.map(({ source }) => source)]);
  const outputs = [...(known === undefined ? [] : [known.output]), ...candidates.map(({ output }) => output)];
  level.merged.set(key, { output: mergeOutputs(outputs), sources: [...holds], holds });
}

function mergeOutputs(outputs: readonly Output[]): Output {
  const [first] = outputs as readonly [Output];
  const lineage = uniteLineages(outputs.map((output) => output.lineage));
  return {
    name: first.name,
    key: first.key,
    lineage,
    origin: { kind: 'outputs', outputs: [...new Set(outputs)] },
  };
}

/** Begins the scope of a query. */
export function openScope(reading: Reading, query: SqlNode, { kind, parent, outer }: Frame): OpenScope {
  const scope: OpenScope = {
    kind,
    query,
    parent,
    outer: outer?.scope,
    sources: [],
    merged: new Map(),
    outputs: NO_COLUMNS,
  };
  reading.scopes[query.id] = scope;
  return scope;
}
