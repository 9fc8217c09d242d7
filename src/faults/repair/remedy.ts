/** What may be done about a fault. */

import { writeName } from '../../sql/dialects/index.ts';
import type { Patch } from '../../sql/rewrite/index.ts';
import type { Scope, Source } from '../../sql/scope/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { CertainFault } from '../find/fault.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';

export type RemedyKind =
  /** Fences, prose, a second statement, brackets that do not close. */
  | 'text'
  /** Functions and forms of another engine. */
  | 'dialect'
  /** A name quoted wrongly, or not where it must be. */
  | 'quoting'
  | 'spelling'
  /** Another table instead of the one that was named. */
  | 'table'
  /** The same column, of a table that has it. */
  | 'qualifier'
  /** A join that is missing, or joins by columns that no key has. */
  | 'join'
  /** A name that is alike, no misspelling. */
  | 'near-name'
  /** One of several tables that have a column. */
  | 'choice'
  /** A name of the SELECT list where it is not known yet: what it stands for. */
  | 'alias'
  /** A word or place of SQL: IN for one of several rows, HAVING for a condition on groups, RECURSIVE. */
  | 'clause'
  | 'group-by'
  | 'value';

export interface Remedy {
  readonly kind: RemedyKind;
  readonly patches: readonly Patch[];
  /** A clause for people: what was wrong, and why this. */
  readonly because: string;
  /** What the query is then taken to mean, where something else may be meant as well; absent: nothing else is. */
  readonly guess?: string;
}

/** A remedy that is taken without asking. */
export function isSure({ guess }: Remedy): boolean {
  return guess === undefined;
}

/** What remedies look at. */
export interface Ailing {
  readonly fault: CertainFault;
  readonly node: SqlNode;
  readonly query: ReadQuery;
  readonly schema: SchemaFacts;
}

export function quoted(name: string, { tree }: ReadQuery): string {
  return writeName(name, tree.dialect);
}

/** The scope a node stands in. */
export function scopeAt(node: SqlNode, { scopes }: ReadQuery): Scope | undefined {
  return scopes.places[node.id];
}

export function columnOf({ columns }: Source, name: string): string | undefined {
  return columns.byKey.get(name.toLowerCase())?.name;
}

/** Sources of the schema; what has no name cannot be a qualifier. */
export function tablesIn(scope: Scope | undefined): readonly (Source & { readonly name: string })[] {
  return (scope?.sources ?? []).flatMap((source) =>
    source.table === undefined || source.name === undefined ? [] : [{ ...source, name: source.name }],
  );
}
