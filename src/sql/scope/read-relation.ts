/** One relation of FROM as a source: a table, a subquery, UNNEST, LATERAL, a function, VALUES; with its pivots. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { ANY_COLUMNS, renameColumns } from './columns.ts';
import { createSource } from './create-source.ts';
import { columnNames, NO_ALIAS, type RelationAlias, readAlias } from './read-alias.ts';
import { isArrayPath, readArrayPath, readUnnest } from './read-array.ts';
import { readExpression } from './read-expression.ts';
import { readFunction } from './read-function.ts';
import { readPivot } from './read-pivot.ts';
import { readRowPattern } from './read-row-pattern.ts';
import { readTableName } from './read-table-name.ts';
import { scopeOfQuery } from './read-with.ts';
import type { Place, Reading } from './reading.ts';
import type { ScopeKind, Source } from './scope.ts';

export function readRelation(reading: Reading, node: SqlNode, place: Place): Source {
  const pivots = childrenIn(node, 'pivots');
  const first = pivots[0];
  const alias = readAlias(node);
  if (first === undefined) return readCore(reading, node, { place, alias });
  // `t PIVOT (…) AS p` names the result, `t AS x PIVOT (…)` what is turned.
  const isResult = alias.node !== undefined && alias.node.start > first.start;
  let source = readCore(reading, node, { place, alias: isResult ? NO_ALIAS : alias });
  for (const pivot of pivots) {
    const read = pivot.type === 'Pivot' ? readPivot : readRowPattern;
    source = read(reading, pivot, { source, place });
  }
  if (!isResult) return source;
  const named = { name: alias.name, key: alias.name?.toLowerCase(), alias: alias.node };
  // What PIVOT shows is not known well enough to be called anew.
  const columns = first.type === 'Pivot' ? source.columns : renameColumns(source.columns, columnNames(alias));
  return { ...source, ...named, columns };
}

interface RelationPlace {
  readonly place: Place;
  readonly alias: RelationAlias;
}

function readCore(reading: Reading, node: SqlNode, at: RelationPlace): Source {
  switch (node.type) {
    case 'Table':
      return readTable(reading, node, at);
    case 'Subquery':
    case 'Values':
      return readDerived(reading, node, { ...at, query: node, isLateral: node.flags.lateral !== undefined });
    case 'Unnest':
      return readUnnest(reading, node, { ...at, node });
    case 'Lateral':
    case 'TableFromRows':
      return readLateral(reading, node, at);
    default:
      return readOther(reading, node, at);
  }
}

function readTable(reading: Reading, node: SqlNode, at: RelationPlace): Source {
  const { place, alias } = at;
  const version = child(node, 'version');
  if (version !== undefined) readExpression(reading, version, place);
  const name = child(node, 'this');
  if (name !== undefined && name.type !== 'Identifier') return readFunction(reading, name, { ...at, node });
  if (isArrayPath(reading, node, place.level)) return readArrayPath(reading, node, at);
  return readTableName(reading, node, { ctes: place.ctes, alias });
}

/** LATERAL (SELECT …), LATERAL f(x), TABLE(f(x)). */
function readLateral(reading: Reading, node: SqlNode, at: RelationPlace): Source {
  const inner = child(node, 'this');
  if (inner === undefined) return readOther(reading, node, at);
  if (inner.type === 'Subquery') return readDerived(reading, node, { ...at, query: inner, isLateral: true });
  if (inner.type === 'Unnest') return readUnnest(reading, inner, { ...at, node });
  return readFunction(reading, inner, { ...at, node });
}

interface DerivedQuery extends RelationPlace {
  readonly query: SqlNode;
  readonly isLateral: boolean;
}

function readDerived(reading: Reading, node: SqlNode, derived: DerivedQuery): Source {
  const { query, isLateral, alias } = derived;
  const { level, ctes } = derived.place;
  const kind: ScopeKind = isLateral ? 'lateral' : 'derived';
  const outer = isLateral || reading.rules.derivedSeesSiblings ? level : level.outer;
  const columns = reading.readQuery(reading, query, { kind, parent: level.scope, outer, ctes });
  const scope = scopeOfQuery(reading, query);
  const sourceKind = scope?.query.type === 'Values' ? 'values' : 'derived';
  return createSource(reading, { kind: sourceKind, node, alias, columns, query: scope });
}

/** A relation nobody knows: its names are read, its columns are open. */
function readOther(reading: Reading, node: SqlNode, { place, alias }: RelationPlace): Source {
  for (const part of node.children) {
    if (part.role !== 'alias' && part.role !== 'sample') readExpression(reading, part, place);
  }
  return createSource(reading, { kind: 'function', node, alias, columns: ANY_COLUMNS });
}
