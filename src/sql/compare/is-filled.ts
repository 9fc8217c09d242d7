/** Whether a column has a value in every row of its query. */
import { ancestor, child, type SqlNode } from '../tree/node.ts';
import { type Relation, relations } from './relations.ts';

/**
 * Whether a column of a table holds no NULL. Names in lower case, as queries write them; `undefined` where the table has
 * no such column.
 */
export type NeverNull = (table: string, column: string) => boolean | undefined;

/** A column of the SELECT's own tables that is never NULL there, unless an outer join may have made it so. */
export function isFilled(column: SqlNode, isNeverNull: NeverNull): boolean {
  const select = ancestor(column, ({ type }) => type === 'Select');
  const name = child(column, 'this')?.value?.toLowerCase();
  if (select === undefined || name === undefined) return false;
  const qualifier = child(column, 'table')?.value?.toLowerCase();
  const all = relations(select);
  const owners = all.filter((relation) =>
    qualifier === undefined ? mayHave(relation, name, isNeverNull) : nameOf(relation) === qualifier,
  );
  const [owner, ...others] = owners;
  if (owner === undefined || others.length > 0) return false;
  // Rows without a partner get NULL in the tables on the far side of an outer join.
  const isKept = owner.join === 'inner' && all.every(({ join }) => join === 'inner' || join === 'left');
  const table = tableOf(owner);
  return isKept && table !== undefined && isNeverNull(table, name) === true;
}

/** What is no table may have any column. */
function mayHave(relation: Relation, column: string, isNeverNull: NeverNull): boolean {
  const table = tableOf(relation);
  return table === undefined || isNeverNull(table, column) !== undefined;
}

function nameOf(relation: Relation): string | undefined {
  const alias = child(relation.node, 'alias');
  return (alias && child(alias, 'this')?.value?.toLowerCase()) ?? tableOf(relation);
}

function tableOf({ node }: Relation): string | undefined {
  return node.type === 'Table' ? child(node, 'this')?.value?.toLowerCase() : undefined;
}
