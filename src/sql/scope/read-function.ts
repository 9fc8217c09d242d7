/** A function in FROM: its arguments are read, its columns come from a list or are open. */
import { child, type SqlNode } from '../tree/node.ts';
import { createColumns, createOutput } from './columns.ts';
import { createSource } from './create-source.ts';
import { computedLineage } from './lineage.ts';
import type { RelationAlias } from './read-alias.ts';
import { readExpression } from './read-expression.ts';
import { listen, type Place, type Reading } from './reading.ts';
import type { Columns, Lineage, Output, Source } from './scope.ts';
import { tableFunctionColumns } from './table-functions.ts';

export interface FunctionPlace {
  readonly place: Place;
  readonly alias: RelationAlias;
  /** The relation that the source is for: a Table, Lateral, TableFromRows. */
  readonly node: SqlNode;
}

export function readFunction(reading: Reading, call: SqlNode, { place, alias, node }: FunctionPlace): Source {
  const lineage = computedLineage(listen(reading, () => readExpression(reading, call, place)));
  const written = call.value ?? '';
  const name = written.slice(written.lastIndexOf('.') + 1);
  const known = declaredColumns(call) ?? functionColumns(reading, name, alias);
  const ordinality = child(node, 'ordinality') === undefined ? [] : [createOutput('ordinality', 'numeric')];
  const list = [...withLineage(known.list, lineage), ...ordinality];
  const columns = createColumns(list, known.openness);
  return createSource(reading, { kind: 'function', node, alias, columns, ownName: name });
}

/** The COLUMNS of JSON_TABLE and XMLTABLE, nested ones included. */
function declaredColumns(call: SqlNode): Columns | undefined {
  const declared = call.children.find(({ type }) => type === 'TableColumns');
  return declared && createColumns(outputsIn(declared));
}

function outputsIn(columns: SqlNode): readonly Output[] {
  return columns.children.flatMap((column) => {
    const name = child(column, 'this')?.value;
    return name === undefined ? outputsIn(column) : [createOutput(name)];
  });
}

function functionColumns({ tree, rules }: Reading, name: string, alias: RelationAlias): Columns {
  const ownName = (rules.functionAliasNamesColumn ? alias.name : undefined) ?? name;
  const known = tableFunctionColumns(name, tree.dialect, ownName);
  if (known !== undefined) return createColumns(known);
  // What a function gives that is not listed: a value under its own name, or columns nobody knows.
  return createColumns(rules.functionAliasNamesColumn ? [createOutput(ownName)] : [], 'all');
}

function withLineage(list: readonly Output[], lineage: Lineage): readonly Output[] {
  return list.map((output) => ({ ...output, lineage }));
}
