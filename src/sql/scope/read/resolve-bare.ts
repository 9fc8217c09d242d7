/** Finds out what a name without qualifier means, from its own level outwards. */
import { ancestor, child, type SqlNode, walk } from '../../tree/node.ts';
import { NO_LINEAGE } from '../state/lineage.ts';
import type { AliasUse, NameRules } from '../state/name-rules.ts';
import type { Name } from '../state/names.ts';
import { type Level, outerOf, type Reading, type ShownName, takeSteps } from '../state/reading.ts';
import type { Held, MergedColumn, Output, Reference, Source } from '../state/scope.ts';
import {
  aliasReference,
  ambiguousReference,
  columnReference,
  openReference,
  rowReference,
} from './create-reference.ts';

const PARAMETER: Reference = { kind: 'parameter', lineage: NO_LINEAGE };
const NO_CANDIDATES: Held[] = [];
/** So many sources are looked at in the time that another step takes. */
export const SOURCES_OF_STEP = 16;

/** The meaning of the first part of a name; `undefined` when nothing in sight has it. */
export function resolveBare(reading: Reading, name: Name, level: Level): Reference | undefined {
  const key = name.keys[0] ?? '';
  for (let at: Level | undefined = level; at !== undefined; at = outerOf(at, name.node)) {
    takeSteps(reading, 1 + at.sources.length / SOURCES_OF_STEP);
    if (at.parameters?.has(key)) return PARAMETER;
    const found = resolveAt(reading, name, at);
    if (found !== undefined) return found;
  }
  // Fields of values of unknown type are meant only when nothing else is.
  for (let at: Level | undefined = level; at !== undefined; at = outerOf(at, name.node)) {
    const loose = at.sources.filter((source) => source.columns.openness === 'fields');
    if (loose.length > 0) return openReference(name.parts[0]?.value ?? '', loose);
  }
  // How deep CONNECT BY is.
  return key === 'level' && isHierarchic(name.node) ? PARAMETER : undefined;
}

function isHierarchic(node: SqlNode): boolean {
  const select = ancestor(node, ({ type }) => type === 'Select');
  return select !== undefined && child(select, 'connect') !== undefined;
}

function resolveAt(reading: Reading, name: Name, level: Level): Reference | undefined {
  const use = aliasUse(reading, name, level);
  const first = use === 'before-columns' ? resolveAlias(reading, name, level) : undefined;
  if (first !== undefined) return first;
  const column = resolveAmong(reading, name, level);
  if (column !== undefined) return column;
  const alias = use === 'never' ? undefined : level.aliases.get(name.keys[0] ?? '');
  return alias === undefined ? resolveLoosely(reading, name, level) : aliasReference(level.scope, alias);
}

function aliasUse({ rules }: Reading, name: Name, level: Level): AliasUse {
  const rule = rules.aliases[level.clause];
  if (level.bareTerm === name.node) return rule.bare;
  return rule.inside === 'before-columns' && level.aggregates > 0 ? 'after-columns' : rule.inside;
}

/** An alias, or in ORDER BY any column that the select list shows. */
function resolveAlias(reading: Reading, name: Name, level: Level): Reference | undefined {
  if (level.clause === 'order' && level.bareTerm === name.node) return resolveShown(reading, name, level);
  const alias = level.aliases.get(name.keys[0] ?? '');
  return alias && aliasReference(level.scope, alias);
}

/** A column that a source of this level certainly has. */
function resolveAmong(reading: Reading, name: Name, level: Level): Reference | undefined {
  const { rules } = reading;
  const key = name.keys[0] ?? '';
  const merged = level.merged.get(key);
  const holders = findHolders(level, key, merged);
  takeSteps(reading, holders.length);
  if (merged !== undefined) {
    const first = { source: merged.sources[0] as Source, output: merged.output };
    const isClear = holders.length === 0 || rules.mergedHidesOthers;
    return isClear
      ? columnReference(level.scope, first, merged.sources)
      : ambiguousReference(name.parts.slice(0, 1), [first, ...holders]);
  }
  const holder = holders[0];
  if (holder === undefined) return undefined;
  const isTwice = rules.repeatedIsAmbiguous && holder.source.columns.repeated.has(key);
  return holders.length > 1 || isTwice
    ? ambiguousReference(name.parts.slice(0, 1), holders)
    : columnReference(level.scope, holder);
}

function findHolders(level: Level, key: string, merged: MergedColumn | undefined): readonly Held[] {
  let holders = NO_CANDIDATES;
  for (let index = level.firstSource; index < level.sources.length; index += 1) {
    const source = level.sources[index] as Source;
    const output = source.columns.byKey.get(key);
    if (output === undefined || merged?.holds.has(source) === true) continue;
    if (holders.length === 0) holders = [{ source, output }];
    else holders.push({ source, output });
  }
  return holders;
}

/** Whole rows, row ids, and columns of sources that nobody knows. */
function resolveLoosely({ rules }: Reading, name: Name, level: Level): Reference | undefined {
  const key = name.keys[0] ?? '';
  const visible = level.firstSource === 0 ? level.sources : level.sources.slice(level.firstSource);
  const row = rules.hasRowValues ? visible.find((source) => source.key === key) : undefined;
  if (row !== undefined) return rowReference(row);
  const table = rules.hiddenColumns.has(key) ? visible.find(isTable) : undefined;
  const hidden = table ?? (rules.hasFullText ? findSearched(name, visible) : undefined);
  if (hidden !== undefined) return { kind: 'hidden', source: hidden, lineage: NO_LINEAGE };
  const open = visible.filter((source) => mayHold(source, key));
  return open.length > 0 ? openReference(name.parts[0]?.value ?? '', open) : undefined;
}

/** `t MATCH 'x'`, `bm25(t)`, and `rank` beside them. */
function findSearched({ keys, node }: Name, visible: readonly Source[]): Source | undefined {
  const key = keys[0] ?? '';
  if (key === 'rank' || key === 'docid') return searches(node) ? visible.find(isTable) : undefined;
  return namesSearched(node) ? visible.find((source) => source.key === key && isTable(source)) : undefined;
}

/** A table itself, whose hidden row id can be named. */
export function isTable(source: Source): boolean {
  return source.kind === 'table' || source.kind === 'unknown-table';
}

/** A source whose columns are not all known, or that shows an expression whose text the name may be. */
export function mayHold({ columns }: Source, key: string): boolean {
  if (columns.openness === 'all') return true;
  return columns.hasNameless && isNoWord(key);
}

function isNoWord(key: string): boolean {
  return /[^\p{L}\p{N}_]/u.test(key);
}

// The hidden columns of SQLite's FTS5: the table's own name, which is matched and ranked, and `rank`.

const RANKING: ReadonlySet<string> = new Set(
  'bm25 highlight snippet offsets matchinfo fts5_get_locale'.split(' '),
);

/** Whether a bare name at this place may be the table that is searched: `t MATCH …`, `bm25(t)`. */
function namesSearched({ parent, role }: SqlNode): boolean {
  if (parent === undefined || role !== 'this') return parent !== undefined && isFirstOfRanking(parent, role);
  return isMatch(parent) || isFirstOfRanking(parent, role);
}

function isFirstOfRanking({ flags, value = '', children }: SqlNode, role: string): boolean {
  const isFirst = role === 'this' || children[0]?.role === role;
  return flags.call !== undefined && RANKING.has(value.toLowerCase()) && isFirst;
}

function isMatch({ type, flags }: SqlNode): boolean {
  return type === 'Operator' && flags.operator === 'MATCH';
}

/** Whether the query around searches, so that it has a rank. */
function searches(node: SqlNode): boolean {
  const select = ancestor(node, ({ type }) => type === 'Select');
  const where = select && child(select, 'where');
  if (where === undefined) return false;
  for (const below of walk(where)) if (isMatch(below)) return true;
  return false;
}

/** Finds out what a bare name in ORDER BY means among the columns that the query itself shows. */
function resolveShown(reading: Reading, name: Name, level: Level): Reference | undefined {
  const { rules } = reading;
  const key = name.keys[0] ?? '';
  const { named, isOne } = shownAs(rules, level, key);
  const [only] = named;
  if (only === undefined) return undefined;
  const alias = level.aliases.get(key);
  if (alias !== undefined && rules.repeatedInOrder === 'first-alias')
    return aliasReference(level.scope, alias);
  if (isOne || rules.repeatedInOrder === 'first') return referTo(level, only, key);
  takeSteps(reading, named.length);
  return ambiguousReference(
    name.parts,
    named.map((output) => ({ source: shownBy(level, output), output })),
  );
}

const NOTHING: ShownName = { named: [], isOne: true };

/** Looked up once for each name: a list may show one name a thousand times and be ordered by it as often. */
function shownAs(rules: NameRules, level: Level, key: string): ShownName {
  const { outputs } = level.scope;
  const first = outputs.byKey.get(key);
  if (first === undefined) return NOTHING;
  if (!outputs.repeated.has(key)) {
    return isNamed(rules, level, first) ? { named: [first], isOne: true } : NOTHING;
  }
  const known = level.shown.get(key);
  if (known !== undefined) return known;
  const named = outputs.list.filter((output) => output.key === key && isNamed(rules, level, output));
  const [only] = named;
  const isOne = only !== undefined && named.every((output) => isSame(level, output, only));
  const shown = { named, isOne: named.length === 1 || isOne };
  level.shown.set(key, shown);
  return shown;
}

function isNamed(rules: NameRules, level: Level, output: Output): boolean {
  return output.name !== undefined && (rules.orderSeesPlainColumns || !level.plain.has(output));
}

/** A column shown twice is one; a table joined with itself shows two that come of the same output. */
function isSame(level: Level, a: Output, b: Output): boolean {
  if (level.merged.has(a.key ?? '')) return true;
  const [first, second] = [level.plain.get(a), level.plain.get(b)];
  if (first?.kind === 'column' && second?.kind === 'column') {
    return first.source === second.source && first.output === second.output;
  }
  const value = shownValue(level, a);
  return value === shownValue(level, b) && sourcesOf(level, value).length < 2;
}

/** The column of a source that a star shows itself, or that an item of the list shows. */
function shownValue(level: Level, output: Output): Output {
  const { origin } = output;
  const only = origin.kind === 'outputs' && origin.outputs.length === 1 ? origin.outputs[0] : undefined;
  return only === undefined || sourceOf(level, output) !== undefined ? output : only;
}

/** The column that an item without AS or a star shows, or an alias. */
function referTo(level: Level, output: Output, key: string): Reference {
  const plain = level.plain.get(output);
  if (plain !== undefined) return plain;
  const merged = level.merged.get(key);
  const source = sourceOf(level, output) ?? (merged?.output === output ? merged.sources[0] : undefined);
  if (source === undefined) return aliasReference(level.scope, output);
  return columnReference(
    level.scope,
    { source, output },
    merged?.output === output ? merged.sources : undefined,
  );
}

function shownBy(level: Level, output: Output): Source | undefined {
  const plain = level.plain.get(output);
  return plain?.kind === 'column' ? plain.source : sourceOf(level, output);
}

function sourceOf(level: Level, output: Output): Source | undefined {
  return sourcesOf(level, output)[0];
}

/** The sources that have this very column, in the order of FROM. */
function sourcesOf({ sources }: Level, output: Output): readonly Source[] {
  const { key } = output;
  return sources.filter(({ columns }) =>
    key === undefined || columns.repeated.has(key)
      ? columns.list.includes(output)
      : columns.byKey.get(key) === output,
  );
}
