/** Every table and column a query names, resolved against a schema; what does not exist comes back all at once. */
import { nearestNames } from '../../language/index.ts';
import type { Span } from '../dialects/span.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { scopes } from './scopes.ts';
import { readAlias } from './state/names.ts';
import type { NamedSchema } from './state/schema-index.ts';
import type { AmbiguousReference, Lineage, Reference, Scopes } from './state/scope.ts';

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

const NEAREST = 3;

/** Resolves the names of a parsed query through aliases, CTEs, derived tables, subqueries and set operations. */
export function findNames(tree: SqlTree, schema: NamedSchema): NamesFound {
  const resolved = scopes(tree, schema);
  const known = FOUND.get(resolved);
  if (known !== undefined) return known;
  const found = namesOf(resolved);
  FOUND.set(resolved, found);
  return found;
}

const FOUND = new WeakMap<Scopes, NamesFound>();

function namesOf(resolved: Scopes): NamesFound {
  const { tree } = resolved;
  const tables = new Set<string>();
  const columns = new Set<string>();
  const problems = new Map<string, NameProblem>();
  const report = (problem: NameProblem | undefined): void => {
    if (problem === undefined) return;
    const key = `${problem.kind}:${problem.name.toLowerCase()}`;
    if (!problems.has(key)) problems.set(key, problem);
  };
  const seen = new Set<Lineage>();
  for (const node of tree.nodes) {
    const source = resolved.sources[node.id];
    if (source?.table !== undefined) tables.add(source.table.id);
    if (source?.kind === 'unknown-table') report(unknownTable(resolved, node, source.key ?? ''));
    const reference = resolved.references[node.id];
    if (reference?.kind === 'column' && !seen.has(reference.lineage)) {
      seen.add(reference.lineage);
      for (const { id } of reference.lineage.physical) columns.add(id);
    }
    if (reference !== undefined) report(problemOf(node, reference));
  }
  return { tables: [...tables], columns: [...columns], problems: [...problems.values()] };
}

function unknownTable({ tree, schema }: Scopes, table: SqlNode, key: string): NameProblem {
  const name = table.children.find((part) => part.role === 'this');
  const written = name?.value ?? key;
  return createProblem({ kind: 'unknown-table', name: written, place: name ?? table }, () => {
    const ctes = tree.nodes.filter((node) => node.type === 'CTE').map((cte) => readAlias(cte).name ?? '');
    return nearestNames(written, [...schema.tables.map((other) => other.name), ...ctes], NEAREST);
  });
}

function problemOf(node: SqlNode, reference: Reference): NameProblem | undefined {
  if (reference.kind === 'ambiguous') {
    const column = node.type === 'Column' ? (node.children.at(-1) ?? node) : node;
    return createProblem({ kind: 'ambiguous-column', name: reference.name, place: column }, () =>
      choices(reference, column.value ?? ''),
    );
  }
  if (reference.kind !== 'unknown') return undefined;
  const kind = reference.missing === 'source' ? 'unknown-table' : 'unknown-column';
  return createProblem({ kind, name: reference.name, place: reference.node }, () => reference.nearest);
}

interface Named extends Pick<NameProblem, 'kind' | 'name'> {
  readonly place: SqlNode;
}

/** A text may hold thousands of problems, and of each the nearest names are a search of their own. */
function createProblem({ kind, name, place }: Named, find: () => readonly string[]): NameProblem {
  let found: readonly string[] | undefined;
  return {
    kind,
    name,
    get nearest() {
      found ??= find();
      return found;
    },
    span: spanOf(place),
  };
}

/** Qualified names to choose from; sources of one name cannot be told apart by any. */
function choices({ candidates }: AmbiguousReference, written: string): readonly string[] {
  const names = new Set(candidates.map(({ source }) => source?.key));
  if (names.size < candidates.length) return [];
  return candidates.flatMap(({ source }) => (source ? [`${source.name ?? 'subquery'}.${written}`] : []));
}

function spanOf({ start, end }: SqlNode): Span {
  return { start, end };
}
