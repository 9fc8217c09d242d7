/** Finds out what a name without qualifier means, from its own level outwards. */

import { ancestor, child, type SqlNode } from '../tree/node.ts';
import {
  aliasReference,
  ambiguousReference,
  columnReference,
  openReference,
  rowReference,
} from './create-reference.ts';
import { namesSearched, searches } from './full-text.ts';
import { NO_LINEAGE } from './lineage.ts';
import type { Name } from './name.ts';
import type { AliasUse } from './name-rules.ts';
import { type Level, outerOf, type Reading, takeSteps } from './reading.ts';
import { resolveShown } from './resolve-shown.ts';
import type { Held, MergedColumn, Reference, Source } from './scope.ts';

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
