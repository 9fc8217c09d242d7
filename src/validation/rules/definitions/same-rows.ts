/** A condition on the rows of a table by way of the same table read again: NOT IN, NOT EXISTS, EXCEPT, a join by its key. */

import type { Source } from '../../../sql/scope/index.ts';
import { ancestor, child, type SqlNode } from '../../../sql/tree/index.ts';
import { conditionsOn, keeps, meetsAllOut, type Rule } from './conditions.ts';
import { conditionOf, type QueryUses } from './query-uses.ts';

/** Another use of the table, row by row, has the condition, or has those rows alone that are taken away. */
export function isKeptElsewhere(source: Source, rule: Rule, uses: QueryUses): boolean {
  return sameRows(source, uses).some((other) =>
    isTakenAway(other, source, uses)
      ? takesAllOut(other, rule, uses)
      : rule.columns.some((column) =>
          conditionsOn(column, uses, other).some(
            (one) => one.within === undefined && !isOuter(other) && keeps(one, rule, uses),
          ),
        ),
  );
}

/** It holds the rows that the rule keeps out, to be taken away from another use. */
export function isTakingOut(source: Source, rule: Rule, uses: QueryUses): boolean {
  return (
    takesAllOut(source, rule, uses) &&
    sameRows(source, uses).some((other) => isTakenAway(source, other, uses))
  );
}

/** Nothing is asked of it but its key and what the rule is about. */
function takesAllOut(source: Source, rule: Rule, uses: QueryUses): boolean {
  const [column = ''] = rule.columns;
  const id = uses.columnId(column);
  const said = conditionsOn(column, uses, source);
  const isPlain = uses.mentions.every((one) => one.source !== source || one.id === id || isKey(one.id, uses));
  return isPlain && said.length > 0 && said.every((one) => meetsAllOut(one, rule, uses));
}

/** Uses of the same table that are linked with it by its key, or stand on the other side of an EXCEPT. */
function sameRows(source: Source, uses: QueryUses): readonly Source[] {
  const linked = uses.links.flatMap(({ one, other }) => {
    if (one.id !== other.id || !isKey(one.id, uses)) return [];
    return one.source === source ? [other.source] : other.source === source ? [one.source] : [];
  });
  const beside = uses.sources.filter(
    (other) =>
      other !== source &&
      other.table?.id === source.table?.id &&
      (isExcepted(other, source) || isExcepted(source, other)),
  );
  return [...new Set([...linked, ...beside])];
}

function isKey(id: string, uses: QueryUses): boolean {
  const table = id.slice(0, id.lastIndexOf('.'));
  const name = id.slice(table.length + 1).toLowerCase();
  return uses.semantics.datasets.some(
    (dataset) =>
      uses.tableId(dataset.table) === table &&
      dataset.primaryKey.length === 1 &&
      dataset.primaryKey.every((key) => key.slice(key.lastIndexOf('.') + 1).toLowerCase() === name),
  );
}

function isTakenAway(other: Source, from: Source, uses: QueryUses): boolean {
  return isDenied(other, from) || isExcepted(other, from) || isAntiJoined(other, uses);
}

function isWithin({ node }: Source, outer: SqlNode): boolean {
  return outer.start <= node.start && node.end <= outer.end;
}

/** NOT IN (…), NOT EXISTS (…) around it, and not around the rows it is taken from. */
function isDenied({ node }: Source, from: Source): boolean {
  const holder = ancestor(node, ({ type }) => type === 'In' || type === 'Exists');
  if (holder === undefined || isWithin(from, holder)) return false;
  const above = ancestor(holder, ({ type }) => type !== 'Paren');
  return above?.type === 'Not';
}

function isExcepted(other: Source, from: Source): boolean {
  const except = ancestor(other.node, ({ type }) => type === 'Except');
  const [kept, taken] = except ? [child(except, 'this'), child(except, 'expression')] : [];
  return kept !== undefined && taken !== undefined && isWithin(other, taken) && isWithin(from, kept);
}

/** LEFT JOIN … WHERE key IS NULL */
function isAntiJoined(other: Source, uses: QueryUses): boolean {
  return uses.mentions.some(({ source, id, node }) => {
    const condition = source === other && isKey(id, uses) ? conditionOf(node) : undefined;
    return condition?.type === 'Is' && condition.children[1]?.type === 'Null';
  });
}

/** Rows stay, whether it has one for them or not. */
function isOuter({ node }: Source): boolean {
  const join = ancestor(node, ({ type }) => type === 'Join' || type === 'Select');
  return join?.type === 'Join' && join.flags.side !== undefined;
}
