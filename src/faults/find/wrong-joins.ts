/** Two tables that a declared key connects, joined by other columns. */
import { ancestor, type SqlNode } from '../../sql/index.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { type CertainFault, faultAt } from './fault.ts';

/** Columns of one name, or that refer to one key, may well be joined; so may what is joined by its key besides. */
export function wrongJoins(query: ReadQuery, schema: SchemaFacts): readonly CertainFault[] {
  const { tree, scopes } = query;
  const idOf = (node: SqlNode | undefined) => {
    const reference = node && scopes.references[node.id];
    return reference?.kind === 'column' && reference.source.table !== undefined
      ? reference.lineage.physical[0]?.id
      : undefined;
  };
  const equalities = tree.nodes.flatMap((node) => {
    const join = node.type === 'EQ' && ancestor(node, ({ type }) => type === 'Join' || type === 'Select');
    const [one, other] = [idOf(node.children[0]), idOf(node.children[1])];
    return join && join.type === 'Join' && one !== undefined && other !== undefined
      ? [{ node, one, other }]
      : [];
  });
  const tableOf = (id: string) => schema.columns.get(id)?.tableId ?? '';
  const nameOf = (id: string) => schema.columns.get(id)?.name.toLowerCase();
  const byKey = new Set(
    equalities
      .filter(({ one, other }) => schema.isKeyPair(one, other))
      .flatMap(({ one, other }) => [
        `${tableOf(one)} ${tableOf(other)}`,
        `${tableOf(other)} ${tableOf(one)}`,
      ]),
  );
  return equalities.flatMap(({ node, one, other }): CertainFault[] => {
    const pair = `${tableOf(one)} ${tableOf(other)}`;
    if (tableOf(one) === tableOf(other) || byKey.has(pair) || nameOf(one) === nameOf(other)) return [];
    const keys = keysBetween(tableOf(one), tableOf(other), schema);
    if (keys.length === 0 || schema.isKeyPair(one, other) || haveOneKey(one, other, schema)) return [];
    const text = `no key connects ${one} and ${other}, and one connects their tables`;
    return [faultAt(node, { kind: 'wrong-join', text, isRefused: false, instead: keys })];
  });
}

function keysBetween(one: string, other: string, { catalog }: SchemaFacts): readonly string[] {
  return catalog.foreignKeys.flatMap(({ fromTable, toTable, fromColumns, toColumns, source }) => {
    const isBetween = (fromTable === one && toTable === other) || (fromTable === other && toTable === one);
    return isBetween && source !== 'inferred'
      ? [fromColumns.map((from, at) => `${from} = ${toColumns[at]}`).join(' AND ')]
      : [];
  });
}

/** Both refer to one column, or one column to both. */
function haveOneKey(one: string, other: string, { columns, isKeyPair }: SchemaFacts): boolean {
  for (const id of columns.keys()) if (isKeyPair(id, one) && isKeyPair(id, other)) return true;
  return false;
}
