/**
 * Features 55 to 72: what stands around a node in its SELECT, its operator and its call (specification of node-level
 * uncertainty, section 7 D; group "context / operators" of arXiv 2511.13984). What the specification says of a Column
 * holds for the Identifiers in it too, and what it says of an operator for its operands: they are blamed together.
 */

import type { ReadQuery } from '../../faults/index.ts';
import {
  comparedWith,
  compatibilityReader,
  literalLength,
  literalType,
  operandsOf,
  operatorAt,
  presence,
  readSelects,
  type SelectContext,
} from '../../faults/index.ts';
import type { SqlNode } from '../../sql/index.ts';
import { CONTEXT_FEATURES } from './context-feature-list.ts';
import { functionKnown } from './context-functions.ts';
import { hasLimitWithoutOrder, listSizeAt } from './context-limits.ts';
import { likePatternAt } from './context-patterns.ts';
import type { FeatureGroup, FeatureValue, NodeReader } from './feature.ts';
import type { FeatureSources } from './feature-sources.ts';

export const contextFeatures: FeatureGroup = { name: 'context', features: CONTEXT_FEATURES, open };

function open(query: ReadQuery, { schema }: FeatureSources): NodeReader {
  const selects = readSelects(query);
  const isCompatible = compatibilityReader(query, schema);
  return (node, into, at) => {
    writeSelect(node, selects, into, at);
    writeOperator(node, into, at + 5);
    writeLiteral(node, into, at + 8);
    const pattern = likePatternAt(node, query);
    into[at + 12] = Number(pattern?.hasWildcard ?? false);
    into[at + 13] = pattern?.length ?? 0;
    into[at + 14] = listSizeAt(node);
    into[at + 15] = selects.countConditions(node);
    into[at + 16] = Number(hasLimitWithoutOrder(node));
    into[at + 17] = functionKnown(node, query.tree.dialect);
  };

  /** Features 60 to 62. */
  function writeOperator(node: SqlNode, into: FeatureValue[], at: number): void {
    const operator = operatorAt(node);
    const operands = operator && operandsOf(operator);
    if (operands === undefined) {
      into[at] = -1;
      into[at + 1] = 'none';
      into[at + 2] = 'none';
      return;
    }
    into[at] = isCompatible(operands.operator, operands.left, operands.right);
    into[at + 1] = query.families[operands.left.id] ?? 'unknown';
    into[at + 2] = query.families[operands.right.id] ?? 'unknown';
  }

  /** Features 63 to 66. */
  function writeLiteral(node: SqlNode, into: FeatureValue[], at: number): void {
    const type = literalType(node, query);
    const compared = type === 'none' ? undefined : comparedWith(node);
    into[at] = type;
    into[at + 1] = compared === undefined ? -1 : isCompatible(compared.operator, compared.opposite, node);
    into[at + 2] = compared === undefined ? -1 : presence(node, compared, { query, schema });
    into[at + 3] = type === 'none' ? 0 : literalLength(node, query);
  }
}

/** Features 55 to 59. */
function writeSelect(node: SqlNode, selects: SelectContext, into: FeatureValue[], at: number): void {
  const select = selects.selects[node.id] ?? -1;
  const hasGroup = selects.hasGroup(select);
  const column = columnAt(node);
  const isLoose =
    column !== undefined && !hasGroup && selects.hasListAggregate(select) && selects.isInList(node);
  into[at] = Number(isLoose && !selects.isInAggregate(node));
  into[at + 1] = Number(selects.hasAggregate(select));
  into[at + 2] = Number(hasGroup);
  into[at + 3] = Number(hasGroup && column !== undefined && selects.isGrouped(column));
  into[at + 4] = Number(selects.isInAggregate(node));
}

/** The Column that a node is or is a name in. */
function columnAt(node: SqlNode): SqlNode | undefined {
  const column = node.type === 'Identifier' ? node.parent : node;
  return column?.type === 'Column' ? column : undefined;
}
