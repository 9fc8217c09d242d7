/** Whether a statement holds a constant that may be about a person. */
import type { Column } from '../../../catalog/index.ts';
import type { Scopes, SqlNode } from '../../../sql/index.ts';
import { constantsOf } from './constants.ts';

/** Looks personal whatever it is compared with: an address of mail, or the digits of a telephone, a card, an account. */
const PERSONAL_TEXT = /[^\s@'"%]@[^\s@'"%]+\.[a-z]{2}|\d(?:[ ./()-]*\d){8}/i;
/** Nine digits and more that are a time. */
const TIME = /^\d{4}-\d\d-\d\d(?:[ T][\d:.]+(?:Z|[+-][\d:]+)?)?$/;
/** Conditions end here: what stands on the other side of an AND says nothing about a constant. */
const CONDITION_ENDS: ReadonlySet<string> = new Set(['And', 'Or', 'Where', 'Join', 'Having', 'Qualify']);

/**
 * True where a constant stands in one condition with a column that holds what is personal, or where it is not certain
 * that none does: the column was never profiled, or the constant stands in no condition of a query with such columns.
 */
export function hasPersonalConstant(resolved: Scopes, isPersonal: (columnId: string) => boolean): boolean {
  const constants = constantsOf(resolved.tree).filter(({ type }) => type !== 'Placeholder');
  if (constants.length === 0) return false;
  if (constants.some(({ value = '' }) => PERSONAL_TEXT.test(value) && !TIME.test(value))) return true;
  const personal = resolved.tree.nodes.filter(({ id }) => touches(resolved, id, isPersonal));
  if (personal.length === 0) return false;
  const conditions = new Set(personal.map(conditionOf));
  return constants.some((constant) => {
    if (isRowCount(constant)) return false;
    const condition = conditionOf(constant);
    return condition === undefined || conditions.has(condition);
  });
}

/** Of a column that nobody looked at nothing is certain. */
export function isPersonalColumn({ profile }: Pick<Column, 'profile'>): boolean {
  if (profile === undefined) return true;
  return profile.pii !== undefined && (profile.pii.isWithheld || profile.pii.kind === 'person-name');
}

function touches({ references }: Scopes, id: number, isPersonal: (columnId: string) => boolean): boolean {
  const lineage = references[id]?.lineage;
  if (lineage === undefined || references[id]?.kind === 'star') return false;
  return (
    lineage.physical.some((column) => isPersonal(column.id)) || lineage.from.some(({ id }) => isPersonal(id))
  );
}

/** The outermost node around a name or constant that is one condition; undefined outside of conditions. */
function conditionOf(node: SqlNode): SqlNode | undefined {
  let at = node;
  while (at.parent !== undefined) {
    if (CONDITION_ENDS.has(at.parent.type)) return at;
    // What a subquery shows may be compared outside of it.
    if (at.role === 'expressions' && at.parent.type === 'Select') return undefined;
    at = at.parent;
  }
  return undefined;
}

function isRowCount({ parent }: SqlNode): boolean {
  return parent?.type === 'Limit' || parent?.type === 'Offset' || parent?.type === 'Fetch';
}
