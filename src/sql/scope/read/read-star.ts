/** `*` and `t.*`: which columns they stand for, after EXCEPT, REPLACE and RENAME. */
import { child, type SqlNode } from '../../tree/node.ts';
import {
  ANY_COLUMNS,
  createColumns,
  joinColumns,
  joinOpenness,
  NO_COLUMNS,
  renameOutput,
} from '../state/columns.ts';
import { computedLineage, NO_LINEAGE, openLineage } from '../state/lineage.ts';
import { readName } from '../state/names.ts';
import { type Level, listen, type Place, type Reading, takeSteps } from '../state/reading.ts';
import type { Columns, Lineage, Output, Reference, Source, StarReference } from '../state/scope.ts';
import { columnReference, openReference, unknownColumnOf, unknownSource } from './create-reference.ts';
import { resolveBare } from './resolve-bare.ts';
import { findSources } from './resolve-column.ts';

/** Sets the reference of a Star, or of a Column that ends in one; gives its columns. */
export function readStar(reading: Reading, node: SqlNode, place: Place): Columns {
  const star = node.type === 'Star' ? node : (node.children.at(-1) ?? node);
  const found = findStarSources(reading, node, place.level);
  if (found.kind !== 'sources') {
    reading.references[node.id] = found;
    return ANY_COLUMNS;
  }
  const { sources } = found;
  const shown = node === star ? showAll(reading, place.level) : showOf(reading, sources);
  const columns =
    star.children.length === 0 ? shown : changeColumns(reading, star, { place, sources, shown });
  const reference = starReference(node, sources, columns);
  reading.references[node.id] = reference;
  return columns;
}

function starReference(node: SqlNode, sources: readonly Source[], columns: Columns): StarReference {
  if (isCount(node)) return { kind: 'star', sources, columns: NO_COLUMNS, lineage: NO_LINEAGE };
  let lineage: Lineage | undefined;
  return {
    kind: 'star',
    sources,
    columns,
    // Tables may have hundreds of columns, and only a star that reaches the outer query is asked for them.
    get lineage() {
      lineage ??= starLineage(sources, columns);
      return lineage;
    },
  };
}

function starLineage(sources: readonly Source[], columns: Columns): Lineage {
  const named = columns.list.map((output) => output.lineage);
  const open = sources.filter((source) => source.columns.openness === 'all');
  return computedLineage([...named, ...open.map((source) => openLineage({ source, name: '*' }))]);
}

/** COUNT(*) counts rows and looks at no column. */
function isCount(node: SqlNode): boolean {
  const call = node.parent;
  return node.type === 'Star' && call?.flags.call !== undefined && /^count$/i.test(call.value ?? '');
}

type StarSources = { readonly kind: 'sources'; readonly sources: readonly Source[] } | Reference;

function findStarSources(reading: Reading, node: SqlNode, level: Level): StarSources {
  if (node.type === 'Star') return { kind: 'sources', sources: level.sources };
  const name = readName(node, node.children.slice(0, -1));
  const sources = findSources(reading, name, { length: name.parts.length, level });
  if (sources !== undefined) return { kind: 'sources', sources };
  const column = reading.rules.hasStructs ? resolveBare(reading, name, level) : undefined;
  return column ?? unknownSource(name.parts, level);
}

/** What `*` shows: a merged column comes once, where it comes first. */
export function showAll(reading: Reading, { merged, sources }: Level): Columns {
  if (merged.size === 0) return showOf(reading, sources);
  takeSteps(reading, countColumns(sources));
  const list = sources.flatMap((source) =>
    source.columns.list.flatMap((output) => {
      const one = merged.get(output.key ?? '');
      if (one === undefined || !one.holds.has(source)) return [output];
      return one.sources[0] === source ? [one.output] : [];
    }),
  );
  return createColumns(list, joinOpenness(sources.map((source) => source.columns)));
}

/** One source shows its list as it is; the lists of several make a new one. */
function showOf(reading: Reading, sources: readonly Source[]): Columns {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return only.columns;
  takeSteps(reading, countColumns(sources));
  return joinColumns(sources);
}

function countColumns(sources: readonly Source[]): number {
  return sources.reduce((sum, { columns }) => sum + columns.list.length, 0);
}

interface StarPlace {
  readonly place: Place;
  readonly sources: readonly Source[];
  readonly shown: Columns;
}

function changeColumns(reading: Reading, star: SqlNode, at: StarPlace): Columns {
  let { list } = at.shown;
  for (const change of star.children) {
    takeSteps(reading, list.length);
    if (change.role === 'condition') {
      takeSteps(reading, list.length * (change.value?.length ?? 0));
      list = list.filter(({ name }) => isLike(name ?? '', change.value ?? ''));
    } else if (change.role === 'replace') list = replaceColumn(reading, change, { ...at, list });
    else list = dropOrRename(reading, change, { ...at, list });
  }
  return createColumns(list, at.shown.openness);
}

interface StarChange extends StarPlace {
  /** The columns before this change. */
  readonly list: readonly Output[];
}

/** `except` takes a column out; `rename` calls it by its alias. */
function dropOrRename(
  reading: Reading,
  change: SqlNode,
  { place, sources, list }: StarChange,
): readonly Output[] {
  const column = change.type === 'Alias' ? (child(change, 'this') ?? change) : change;
  const identifier = column.type === 'Column' ? (child(column, 'this') ?? column) : column;
  const key = (identifier.value ?? '').toLowerCase();
  reading.references[column.id] = columnOfStar(reading, identifier, { level: place.level, sources });
  const alias = change.type === 'Alias' ? child(change, 'alias')?.value : undefined;
  return list.flatMap((output) => {
    if (output.key !== key) return [output];
    return alias === undefined ? [] : [renameOutput(output, alias)];
  });
}

function columnOfStar(
  reading: Reading,
  identifier: SqlNode,
  { level, sources }: { readonly level: Level; readonly sources: readonly Source[] },
): Reference {
  const key = (identifier.value ?? '').toLowerCase();
  for (const source of sources) {
    const output = source.columns.byKey.get(key);
    if (output !== undefined) return columnReference(level.scope, { source, output });
  }
  const open = sources.filter((source) => source.columns.openness !== 'none');
  return open.length > 0
    ? openReference(identifier.value ?? '', open)
    : unknownColumnOf(reading, [identifier], sources);
}

function replaceColumn(reading: Reading, change: SqlNode, { place, list }: StarChange): readonly Output[] {
  const node = child(change, 'this');
  const name = child(change, 'alias')?.value ?? '';
  if (node === undefined) return list;
  const lineage = computedLineage(listen(reading, () => reading.readExpression(reading, node, place)));
  const key = name.toLowerCase();
  const origin = { kind: 'expression' as const, node };
  return list.map((output) => (output.key === key ? { ...output, lineage, origin } : output));
}

/**
 * `isLike('user_id', '%ID')`: `%` is any text, `_` one character, in either case; no character takes that from them.
 * Goes back to the last `%` alone, so that no pattern is long to try.
 */
export function isLike(text: string, pattern: string): boolean {
  const [name, wanted] = [[...text.toLowerCase()], [...pattern.toLowerCase()]];
  let [at, place] = [0, 0];
  let [back, from] = [-1, 0];
  while (at < name.length) {
    if (wanted[place] === '%') {
      [back, from] = [place, at];
      place += 1;
    } else if (wanted[place] === '_' || (place < wanted.length && wanted[place] === name[at])) {
      at += 1;
      place += 1;
    } else if (back >= 0) {
      from += 1;
      [at, place] = [from, back + 1];
    } else return false;
  }
  return wanted.slice(place).every((character) => character === '%');
}
