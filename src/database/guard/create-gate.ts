/** What stands between a statement that reads and the engine: visible names, and the policy. */
import { CandorError } from '../../errors.ts';
import { type AllowedCode, checkDisguisedCalls, checkVisible, NO_SCHEMA } from '../../sql/guard/index.ts';
import { type DialectName, findNames, type ReadOnlyVerdict } from '../../sql/index.ts';
import { FENCES, type SessionProperties } from '../../sql/rewrite/index.ts';
import type { NamedSchema } from '../../sql/scope/index.ts';
import type { SqlTree, StatementLimits } from '../../sql/tree/index.ts';
import type { DatabaseSchema } from '../interface/database.ts';
import { tableKey } from '../interface/table-scope.ts';
import type { VisibleCatalog } from './access-policy.ts';
import {
  type AccessPolicy,
  applyPolicy,
  checkPolicy,
  type PolicyUse,
  restrictsTables,
  visibleTables,
} from './access-policy.ts';
import type { PlanCaps } from './check-plan.ts';

/** Whose queries come through a guarded database; there is no default, so that nobody forgets to say it. */
export type GuardOptions = OwnQueries | CallerQueries;

/**
 * Candor's own queries, while the catalog is being read and profiled: they read and nothing else, but no name is
 * checked and no policy applied. Never for SQL that a person or a model wrote.
 */
export interface OwnQueries {
  readonly kind: 'own-queries';
  readonly planCaps?: PlanCaps;
  /** Code of the database's owner that statements may run. */
  readonly allowedCode?: AllowedCode;
}

/** Queries that somebody wrote: they see the catalog, and of it what the policy leaves. */
export interface CallerQueries {
  readonly kind: 'caller-queries';
  readonly catalog: VisibleCatalog;
  readonly policy?: AccessPolicy;
  /** What `:name` in the policy stands for. A name without a value refuses the tables that ask for it. */
  readonly properties?: SessionProperties;
  readonly planCaps?: PlanCaps;
  /** Code of the database's owner that statements may run. */
  readonly allowedCode?: AllowedCode;
}

export interface Gate {
  /** What names behind a dot are looked up in; absent for statements of ours, whose names are columns. */
  readonly schema?: NamedSchema;
  /** The statement as the caller may run it; the same object when nothing had to be restricted. */
  restrict(tree: SqlTree): SqlTree;
  /** Throws when a restricted statement names what the catalog does not have. */
  recheck(tree: SqlTree): void;
  /** The part of a schema that the caller may see. */
  showSchema(schema: DatabaseSchema): DatabaseSchema;
  /** The engine's words about a restricted statement may quote rows that the policy hides. */
  readonly hidesErrors: boolean;
  /** Whether this is, in lower case, the name of a table or column that the caller may see. */
  isKnown(name: string): boolean;
}

/** Everything about the catalog and the policy is looked up once, here; `limits`: how large a statement may become. */
export function createGate(options: GuardOptions, dialect: DialectName, limits?: StatementLimits): Gate {
  switch (options.kind) {
    case 'own-queries':
      return {
        restrict: (tree) => {
          refuseUnless(checkDisguisedCalls(tree, NO_SCHEMA));
          return tree;
        },
        recheck: () => {},
        showSchema: (schema) => schema,
        hidesErrors: false,
        isKnown: () => true,
      };
    case 'caller-queries':
      return callerGate(options, dialect, limits);
    default:
      // Reached from JavaScript only, where nothing else asks for the options: no options, no door.
      throw new CandorError('internal.bug', 'a database is guarded without saying whose queries come');
  }
}

function callerGate(
  { catalog, policy = {}, properties = {} }: CallerQueries,
  dialect: DialectName,
  limits: StatementLimits | undefined,
): Gate {
  checkPolicy(policy, catalog, dialect);
  const tables = visibleTables(policy, catalog);
  // The same object where nothing is hidden, so that names are resolved against it once.
  const visible = tables.length === catalog.tables.length ? catalog : { ...catalog, tables };
  const hasPolicy = policy.visibleTables !== undefined || restrictsTables(policy);
  const allowsWildcards = !hasPolicy;
  let known: ReadonlySet<string> | undefined;
  const use: PolicyUse = { policy, catalog, properties, restrictions: new Map(), limits };
  return {
    schema: catalog,
    restrict: (tree) => {
      refuseHidden(tree, visible, allowsWildcards);
      if (!restrictsTables(policy)) return tree;
      return applyPolicy(tree, findNames(tree, catalog).tables, use);
    },
    // A filter may look into tables that the caller does not see.
    recheck: (tree) => refuseHidden(tree, catalog, allowsWildcards),
    showSchema: (schema) => (hasPolicy ? showOnly(schema, visible) : schema),
    hidesErrors: FENCES[dialect] === undefined,
    isKnown: (name) => {
      // Looked up when an engine has failed, which is seldom: a catalog may have a million columns.
      known ??= namesOf(visible);
      return known.has(name);
    },
  };
}

function namesOf({ tables }: NamedSchema): ReadonlySet<string> {
  const names = tables.flatMap(({ name, qualifier = [], columns }) => [
    ...[name, ...qualifier],
    ...columns.map((column) => column.name),
  ]);
  return new Set(names.map((name) => name.toLowerCase()));
}

function refuseHidden(tree: SqlTree, catalog: NamedSchema, allowsWildcards: boolean): void {
  refuseUnless(checkDisguisedCalls(tree, catalog));
  const hidden = checkVisible(tree, catalog, { allowsWildcards });
  if (hidden === undefined) return;
  const { name, reason, nearest } = hidden;
  const hint = nearest.length === 0 ? '' : `; nearest: ${nearest.join(', ')}`;
  throw new CandorError(
    'database.not-visible',
    `The SQL is refused: ${name} is not visible: ${reason}${hint}.`,
    {
      data: { name, nearest },
    },
  );
}

function showOnly(schema: DatabaseSchema, visible: NamedSchema): DatabaseSchema {
  const keys = new Set(visible.tables.map(({ name, qualifier = [] }) => tableKey({ name, qualifier })));
  return {
    tables: schema.tables.filter((table) => keys.has(tableKey(table))),
    foreignKeys: schema.foreignKeys.filter(
      ({ fromTable, toTable }) => keys.has(fromTable) && keys.has(toTable),
    ),
  };
}

/** Throws `database.not-read-only`, with the offending part, for a verdict that says no; none at all is a yes. */
export function refuseUnless(verdict: ReadOnlyVerdict = { readOnly: true }): void {
  if (verdict.readOnly) return;
  throw new CandorError('database.not-read-only', `The SQL is refused: ${verdict.reason}.`, {
    data: { offending: verdict.offending },
  });
}
