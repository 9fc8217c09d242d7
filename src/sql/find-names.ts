/** Every table and column a query names, resolved against a schema; what does not exist comes back all at once. */
import type { DialectName } from './dialect.ts';
import {
  ANY_COLUMNS,
  createScope,
  findSources,
  type NameRules,
  type Resolution,
  resolveBare,
  resolveIn,
  type Scope,
  type Source,
  visibleColumns,
} from './name-scope.ts';
import { nearestNames } from './nearest-name.ts';
import { identifierSpan, type ParsedQuery } from './parse.ts';
import { type CteColumns, readQuery, type ScopeReader } from './read-scopes.ts';
import type { Span } from './span.ts';
import { field, type Identifier, isTreeNode } from './syntax-tree.ts';

/** The part of a catalog that names are resolved against; ids are canonical, names as the engine spells them. */
export interface NamedSchema {
  readonly tables: readonly NamedTable[];
}

interface NamedTable {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly { readonly id: string; readonly name: string }[];
}

export interface NameProblem {
  readonly kind: 'unknown-table' | 'unknown-column' | 'ambiguous-column';
  /** As written, with its qualifier. */
  readonly name: string;
  /** Names that do exist, nearest first; for an ambiguous column the qualified names to choose from. */
  readonly nearest: readonly string[];
  /** First place in the text. */
  readonly span?: Span;
}

export interface NamesFound {
  /** Canonical ids of the tables that are read. */
  readonly tables: readonly string[];
  /** Canonical ids of the columns that are named, `table.column`. */
  readonly columns: readonly string[];
  readonly problems: readonly NameProblem[];
}

const RULES: Readonly<Record<DialectName, NameRules>> = {
  sqlite: {
    quotedMayBeText: true,
    derivedSeesSiblings: false,
    onSeesLaterSources: true,
    hasStructs: false,
    rowIds: new Set(['rowid', 'oid', '_rowid_']),
  },
  duckdb: {
    quotedMayBeText: false,
    derivedSeesSiblings: true,
    onSeesLaterSources: false,
    hasStructs: true,
    rowIds: new Set(['rowid']),
  },
};

const NEAREST = 3;

/** Resolves the names of a parsed query through aliases, CTEs, derived tables, subqueries and set operations. */
export function findNames(query: ParsedQuery, schema: NamedSchema): NamesFound {
  const reader = new NameReader(query, schema);
  for (const statement of query.statements) {
    const root = field(statement, 'Query');
    if (isTreeNode(root))
      readQuery(root, createScope(undefined), { ctes: new Map(), reader, inOrderBy: false });
  }
  return reader.found();
}

/** Collects while the tree is read; lives for one call of `findNames`. */
class NameReader implements ScopeReader {
  readonly rules: NameRules;
  readonly #query: ParsedQuery;
  readonly #tables: ReadonlyMap<string, NamedTable>;
  readonly #usedTables = new Set<string>();
  readonly #usedColumns = new Set<string>();
  readonly #problems = new Map<string, NameProblem>();

  constructor(query: ParsedQuery, schema: NamedSchema) {
    this.#query = query;
    this.#tables = new Map(schema.tables.map((table) => [table.id, table]));
    this.rules = RULES[query.dialect];
  }

  found(): NamesFound {
    return {
      tables: [...this.#usedTables],
      columns: [...this.#usedColumns],
      problems: [...this.#problems.values()],
    };
  }

  readTable(parts: readonly Identifier[], ctes: CteColumns) {
    const full = parts.map((part) => part.name.toLowerCase()).join('.');
    const last = parts.at(-1);
    if (last === undefined) return ANY_COLUMNS;
    const cte = parts.length === 1 ? ctes.get(full) : undefined;
    if (cte) return cte;
    const table = this.#tables.get(full) ?? this.#tables.get(last.name.toLowerCase());
    if (table === undefined) {
      const existing = [...[...this.#tables.values()].map((other) => other.name), ...ctes.keys()];
      this.#report('unknown-table', [last], nearestNames(last.name, existing, NEAREST));
      return ANY_COLUMNS;
    }
    this.#usedTables.add(table.id);
    const named = new Map(
      table.columns.map(
        (column) => [column.name.toLowerCase(), { name: column.name, id: column.id }] as const,
      ),
    );
    return { named, isOpen: false, hasUnnamed: false, isTable: true };
  }

  readBareName(name: Identifier, scope: Scope, inOrderBy: boolean): void {
    const resolution = resolveBare(name, scope, { rules: this.rules, inOrderBy });
    if (resolution.kind === 'ambiguous') {
      const choices = resolution.sources.map((source) => `${source}.${name.name}`);
      this.#report('ambiguous-column', [name], choices);
    } else if (resolution.kind === 'unknown') {
      this.#report('unknown-column', [name], this.#nearestColumns(name.name, visibleColumns(scope)));
    }
    this.#use(resolution);
  }

  readDottedName(parts: readonly Identifier[], scope: Scope): void {
    const [first, second, third] = parts;
    if (first === undefined || second === undefined) return;
    const sources = findSources(first.name, scope);
    const inSchema = third === undefined ? [] : findSources(second.name, scope);
    const asColumn = this.rules.hasStructs
      ? resolveBare(first, scope, { rules: this.rules, inOrderBy: false })
      : undefined;
    if (sources.length > 0) this.#readIn(sources, [first, second]);
    else if (inSchema.length > 0 && third) this.#readIn(inSchema, [second, third]);
    else if (asColumn && asColumn.kind !== 'unknown') this.#use(asColumn);
    else this.#report('unknown-table', [first], nearestNames(first.name, visibleAliases(scope), NEAREST));
  }

  readSourceName(name: Identifier, scope: Scope): void {
    if (findSources(name.name, scope).length > 0) return;
    this.#report('unknown-table', [name], nearestNames(name.name, visibleAliases(scope), NEAREST));
  }

  #readIn(sources: readonly Source[], parts: readonly [Identifier, Identifier]): void {
    const [, column] = parts;
    const resolution = resolveIn(sources, column.name, this.rules);
    if (resolution.kind === 'unknown') {
      const own = sources.flatMap((source) => [...source.columns.named.values()].map(({ name }) => name));
      this.#report('unknown-column', parts, this.#nearestColumns(column.name, own));
    } else if (resolution.kind === 'ambiguous') {
      // Two sources of one name: no qualified name tells them apart, so none is offered.
      this.#report('ambiguous-column', parts, []);
    }
    this.#use(resolution);
  }

  #use(resolution: Resolution): void {
    if (resolution.kind === 'column' && resolution.id !== undefined) this.#usedColumns.add(resolution.id);
  }

  /** Near names at the place first, then tables that have exactly this column. */
  #nearestColumns(name: string, visible: readonly string[]): readonly string[] {
    const key = name.toLowerCase();
    const elsewhere = [...this.#tables.values()].flatMap((table) =>
      table.columns
        .filter((column) => column.name.toLowerCase() === key)
        .map((column) => `${table.name}.${column.name}`),
    );
    return [...nearestNames(name, visible, NEAREST), ...elsewhere].slice(0, NEAREST);
  }

  #report(kind: NameProblem['kind'], parts: readonly Identifier[], nearest: readonly string[]): void {
    const name = parts.map((part) => part.name).join('.');
    const key = `${kind}:${name.toLowerCase()}`;
    const last = parts.at(-1);
    if (this.#problems.has(key) || last === undefined) return;
    const span = identifierSpan(this.#query, last);
    this.#problems.set(key, { kind, name, nearest, ...(span ? { span } : {}) });
  }
}

function visibleAliases(scope: Scope): readonly string[] {
  const all: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    for (const source of at.sources) if (source.alias !== undefined) all.push(source.alias);
  }
  return all;
}
