/** The ways in which queries count rows. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { isFilled, type NeverNull } from './is-filled.ts';
import { withoutBrackets } from './operands.ts';

/** `COUNT(*)`, `COUNT(1)`, and COUNT of a column that has a value in every row. */
export function countsRows(node: SqlNode, isNeverNull: NeverNull): boolean {
  const counted = onlyArgument(node, 'Count');
  if (counted === undefined) return false;
  if (counted.type === 'Star') return counted.children.length === 0;
  return hasValue(counted, isNeverNull);
}

/**
 * The condition whose rows a call counts: `SUM(CASE WHEN c THEN 1 ELSE 0 END)`, `SUM(IIF(c, 1, 0))`, `SUM(a = b)`,
 * `COUNT(CASE WHEN c THEN 1 END)`, `COUNT(IIF(c, id, NULL))`. Of no rows at all SUM gives NULL and COUNT 0, which nobody
 * who asks for a number means.
 */
export function countedCondition(node: SqlNode, isNeverNull: NeverNull): SqlNode | undefined {
  const summed = onlyArgument(node, 'Sum');
  if (summed !== undefined) {
    if (CONDITIONS.has(summed.type) && summed.flags.call === undefined) return summed;
    const choice = readChoice(summed);
    return choice && isNumber(choice.yes, '1') && isNumber(choice.no, '0') ? choice.condition : undefined;
  }
  const counted = onlyArgument(node, 'Count');
  const choice = counted && readChoice(counted);
  const isNothingElse = choice?.no === undefined || choice.no.type === 'Null';
  return choice && isNothingElse && hasValue(choice.yes, isNeverNull) ? choice.condition : undefined;
}

const CONDITIONS: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE']);

function onlyArgument(node: SqlNode, type: string): SqlNode | undefined {
  const [only, ...more] = node.type === type ? node.children : [];
  return only && more.length === 0 ? withoutBrackets(only) : undefined;
}

function hasValue(node: SqlNode, isNeverNull: NeverNull): boolean {
  return node.type === 'Literal' || (node.type === 'Column' && isFilled(node, isNeverNull));
}

function isNumber(node: SqlNode | undefined, value: string): boolean {
  return node?.type === 'Literal' && node.flags.string === undefined && node.value === value;
}

interface Choice {
  readonly condition: SqlNode;
  readonly yes: SqlNode;
  readonly no: SqlNode | undefined;
}

/** A searched CASE of one branch, or IIF. */
function readChoice(node: SqlNode): Choice | undefined {
  if (node.type === 'If') return choiceOf(node, child(node, 'false'));
  const [branch, ...more] = node.type === 'Case' ? childrenIn(node, 'ifs') : [];
  const isSearched = child(node, 'this') === undefined && more.length === 0;
  return branch && isSearched ? choiceOf(branch, child(node, 'default')) : undefined;
}

function choiceOf(branch: SqlNode, no: SqlNode | undefined): Choice | undefined {
  const [condition, yes] = [child(branch, 'this'), child(branch, 'true')];
  return condition && yes && { condition, yes, no };
}
