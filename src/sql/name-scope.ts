/** Scopes: which tables and columns a name at one place of a query can mean. */
import type { Identifier } from './syntax-tree.ts';

/** What a source or a query shows to the outside. Keys are lower case. */
export interface Columns {
  /** Column name as spelled and, for a table of the catalog, its canonical id. */
  readonly named: ReadonlyMap<string, VisibleColumn>;
  /** The full list is not known; any name may be there. */
  readonly isOpen: boolean;
  /** Some columns carry the text of their expression as name. */
  readonly hasUnnamed: boolean;
}

export interface VisibleColumn {
  readonly name: string;
  readonly id?: string;
}

/** One entry of FROM. */
export interface Source {
  /** Alias, or the table's own name; lower case. */
  readonly alias: string | undefined;
  readonly columns: Columns;
  /** A table itself, so that its hidden row id can be named. */
  readonly isTable: boolean;
}

export interface Scope {
  readonly parent: Scope | undefined;
  readonly sources: Source[];
  /** Columns that a USING or NATURAL join made one. */
  readonly merged: Set<string>;
  /** Aliases of the select list. */
  readonly aliases: Set<string>;
  /** Parameters of a lambda around this place. */
  readonly parameters: ReadonlySet<string>;
}

/** What differs between engines in finding names; data. */
export interface NameRules {
  /** `"x"` that names nothing is the text 'x'. */
  readonly quotedMayBeText: boolean;
  /** A derived table sees the sources before it. */
  readonly derivedSeesSiblings: boolean;
  /** An ON condition may name sources that come after it, and is ambiguous with them. */
  readonly onSeesLaterSources: boolean;
  /** The alias of a source may stand for its whole row, and a dot may reach into a column. */
  readonly hasStructs: boolean;
  readonly rowIds: ReadonlySet<string>;
}

/** What a column name turned out to be. */
export type Resolution =
  | { readonly kind: 'column'; readonly id: string | undefined }
  | { readonly kind: 'other' }
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] }
  | { readonly kind: 'unknown' };

const OTHER: Resolution = { kind: 'other' };
const UNKNOWN: Resolution = { kind: 'unknown' };

export const NO_COLUMNS: Columns = { named: new Map(), isOpen: false, hasUnnamed: false };
export const ANY_COLUMNS: Columns = { named: new Map(), isOpen: true, hasUnnamed: false };

export function createScope(parent: Scope | undefined, parameters: Iterable<string> = []): Scope {
  return { parent, sources: [], merged: new Set(), aliases: new Set(), parameters: new Set(parameters) };
}

/** Finds a bare column name, from the innermost scope outwards. `inOrderBy` lets an alias win over a column. */
export function resolveBare(
  name: Identifier,
  scope: Scope,
  { rules, inOrderBy }: { readonly rules: NameRules; readonly inOrderBy: boolean },
): Resolution {
  const key = name.name.toLowerCase();
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.parameters.has(key)) return OTHER;
    if (inOrderBy && at.aliases.has(key)) return OTHER;
    const found = resolveInScope(key, at, rules);
    if (found.kind !== 'unknown') return found;
  }
  return name.quote === '"' && rules.quotedMayBeText ? OTHER : UNKNOWN;
}

function resolveInScope(key: string, scope: Scope, rules: NameRules): Resolution {
  const holders = scope.sources.filter((source) => source.columns.named.has(key));
  const first = holders[0];
  if (first !== undefined) {
    if (holders.length > 1 && !scope.merged.has(key)) {
      return { kind: 'ambiguous', sources: holders.map((source) => source.alias ?? 'subquery') };
    }
    return { kind: 'column', id: first.columns.named.get(key)?.id };
  }
  const isFreeName =
    scope.aliases.has(key) ||
    scope.sources.some((source) => mayHold(source, key, rules)) ||
    (rules.hasStructs && scope.sources.some((source) => source.alias === key));
  return isFreeName ? OTHER : UNKNOWN;
}

/** Finds the sources that an alias or table name stands for: one, or several of the innermost scope that has any. */
export function findSources(alias: string, scope: Scope): readonly Source[] {
  const key = alias.toLowerCase();
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const sources = at.sources.filter((candidate) => candidate.alias === key);
    if (sources.length > 0) return sources;
  }
  return [];
}

/** Finds a column of the sources that share an alias. */
export function resolveIn(sources: readonly Source[], name: string, rules: NameRules): Resolution {
  const key = name.toLowerCase();
  const holders = sources.filter((source) => source.columns.named.has(key));
  if (holders.length > 1) return { kind: 'ambiguous', sources: holders.map((source) => source.alias ?? '') };
  const column = holders[0]?.columns.named.get(key);
  if (column) return { kind: 'column', id: column.id };
  return sources.some((source) => mayHold(source, key, rules)) ? OTHER : UNKNOWN;
}

/** Every column that can be named at this place, as spelled. */
export function visibleColumns(scope: Scope): readonly string[] {
  const all: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    for (const source of at.sources)
      for (const column of source.columns.named.values()) all.push(column.name);
  }
  return all;
}

function mayHold(source: Source, key: string, rules: NameRules): boolean {
  if (source.columns.isOpen) return true;
  if (source.isTable && rules.rowIds.has(key)) return true;
  // The text of an expression, as `count(*)`, is no plain word.
  return source.columns.hasUnnamed && /[^\p{L}\p{N}_]/u.test(key);
}
