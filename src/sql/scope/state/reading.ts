/** What is carried along while a tree is read; lives for one call of `scopes`. */
import { CandorError } from '../../../errors.ts';
import type { SqlNode, SqlTree } from '../../tree/node.ts';
import type { Clause, NameRules } from './name-rules.ts';
import type {
  Columns,
  Lineage,
  MergedColumn,
  Output,
  Reference,
  SchemaIndex,
  Scope,
  ScopeKind,
  Source,
} from './scope.ts';

export interface Reading {
  readonly tree: SqlTree;
  readonly rules: NameRules;
  readonly schema: SchemaIndex;
  readonly references: (Reference | undefined)[];
  readonly sources: (Source | undefined)[];
  /** By the id of the query node. */
  readonly scopes: (OpenScope | undefined)[];
  /** Lineages of the names met since somebody began to listen. */
  used: Lineage[];
  readonly steps: Steps;
  /** The two rules that files call which these rules themselves need. */
  readonly readQuery: (reading: Reading, query: SqlNode, frame: Frame) => Columns;
  readonly readExpression: (reading: Reading, node: SqlNode, place: Place) => void;
}

/** How much work the reading of names may still be. */
interface Steps {
  taken: number;
  readonly allowed: number;
}

export function takeSteps({ steps }: Reading, count: number): void {
  steps.taken += count;
  if (steps.taken <= steps.allowed) return;
  throw new CandorError(
    'sql.too-large',
    `The SQL is not read: its stars, joins and common table expressions stand for too many columns: resolving its names takes more than ${steps.allowed} steps.`,
    { data: { limit: 'steps', allowed: steps.allowed } },
  );
}

/** A scope while its query is being read. */
export interface OpenScope extends Scope {
  readonly sources: Source[];
  readonly merged: Map<string, MergedColumn>;
  outputs: Columns;
}

/** One level of what can be seen from a place; a name is looked for level by level, outwards. */
export interface Level {
  readonly outer: Level | undefined;
  readonly scope: Scope;
  readonly sources: Source[];
  readonly merged: Map<string, MergedColumn>;
  /** Sources before this one cannot be seen: an ON inside a list with commas sees its own joins only. */
  firstSource: number;
  clause: Clause;
  /** The term of GROUP BY or ORDER BY that is a name and nothing else. */
  bareTerm: SqlNode | undefined;
  /** How many calls of aggregates are around the place: inside them columns win over aliases. */
  aggregates: number;
  /** Aliases of the select list read so far, by lower-case name. */
  readonly aliases: Map<string, Output>;
  /** What the items of the select list mean that are columns without AS. */
  readonly plain: Map<Output, Reference>;
  /** What ORDER BY found of names that the list shows more than once. */
  readonly shown: Map<string, ShownName>;
  /** Parameters of a lambda; such a level has no sources. */
  readonly parameters: ReadonlySet<string> | undefined;
  /** Variables of a row pattern, by lower-case name; before a dot they come before the sources. */
  readonly variables: ReadonlyMap<string, Source> | undefined;
}

/** The columns that a query shows under one name, and whether all of them are the same column. */
export interface ShownName {
  readonly named: readonly Output[];
  readonly isOne: boolean;
}

/** Where an expression stands. */
export interface Place {
  readonly level: Level;
  readonly ctes: Cte | undefined;
}

/** Where a query stands. */
export interface Frame {
  readonly kind: ScopeKind;
  readonly parent: Scope | undefined;
  /** What its names may refer to outside. */
  readonly outer: Level | undefined;
  readonly ctes: Cte | undefined;
  /** The CTE whose body this is, when it may be recursive. */
  readonly recursive?: Cte | undefined;
}

/** A common table expression in the chain of those that can be named at a place, innermost first. */
export interface Cte {
  readonly key: string;
  readonly name: string;
  readonly node: SqlNode;
  readonly next: Cte | undefined;
  /** The WITH it stands in, and its place there. */
  readonly clause: CteClause;
  readonly index: number;
  /** The names its list of columns gives. */
  readonly columnNames: readonly string[];
  state: 'unread' | 'reading' | 'read';
  /** While a recursive one is being read: the columns of its first branch. */
  columns: Columns | undefined;
  /** Its own body names it. */
  isNamedInside: boolean;
  scope: Scope | undefined;
  /** How its body is read; set once the chain is complete. */
  frame: Frame | undefined;
}

/** The common table expressions of one WITH. */
export interface CteClause {
  /** By lower-case name, each list in the order of the text. */
  readonly byKey: Map<string, Cte[]>;
  /** The chain that is visible before the first of them. */
  readonly outer: Cte | undefined;
}

export function openLevel(scope: OpenScope, outer: Level | undefined): Level {
  return { ...emptyLevel(scope, outer), sources: scope.sources, merged: scope.merged };
}

interface EmptyLevel {
  readonly clause?: Clause;
  readonly parameters?: ReadonlySet<string>;
  readonly variables?: ReadonlyMap<string, Source>;
}

/** A level without sources: the body of a lambda, LIMIT, ORDER BY of a set operation, rows of VALUES. */
export function emptyLevel(scope: Scope, outer: Level | undefined, more: EmptyLevel = {}): Level {
  return {
    outer,
    scope,
    sources: [],
    merged: new Map(),
    firstSource: 0,
    clause: more.clause ?? 'from',
    bareTerm: undefined,
    aggregates: 0,
    aliases: new Map(),
    plain: new Map(),
    shown: new Map(),
    parameters: more.parameters,
    variables: more.variables,
  };
}

/** The next level outwards; a bare term of ORDER BY after a set operation can be nothing but an output column. */
export function outerOf(level: Level, node: SqlNode): Level | undefined {
  const isOutput = level.clause === 'outputs' && level.bareTerm === node && node.children.length === 1;
  return isOutput ? undefined : level.outer;
}

/** How many columns there are to be put together. */
function sizeOf(lineages: readonly Lineage[]): number {
  return lineages.reduce(
    (sum, { physical, from, open }) => sum + physical.length + from.length + open.length,
    0,
  );
}

/** Does something and gives the lineages of the names it met. */
export function listen(reading: Reading, act: () => void): readonly Lineage[] {
  const before = reading.used;
  const heard: Lineage[] = [];
  reading.used = heard;
  act();
  takeSteps(reading, sizeOf(heard));
  for (const lineage of heard) before.push(lineage);
  reading.used = before;
  return heard;
}
