/** The two sides of UNION, INTERSECT and EXCEPT, bracketed as the target needs them. */

import { GRAMMARS } from '../../parser/grammars.ts';
import type { PrintableNode } from '../../print/printable.ts';
import type { SqlNode } from '../../tree/node.ts';
import { as, build } from '../built-node.ts';
import type { Translation } from '../translation.ts';

const SET_OPERATIONS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

/** SQLite allows no brackets around a side, so a side that needs them becomes a table of its own. */
export function translateOperand(side: SqlNode, translation: Translation): PrintableNode {
  const { to, translate } = translation;
  const isBracketed = side.type === 'Subquery';
  const inner = isBracketed ? side.children[0] : undefined;
  if (to === 'sqlite' && isBracketed && inner !== undefined) {
    const isPlain = inner.type === 'Select' && inner.children.every(({ role }) => !ENDS.has(role));
    return as(
      side.role,
      isPlain && side.children.length === 1 ? translate(inner) : selectFrom(translate(side)),
    );
  }
  if (isBracketed || !SET_OPERATIONS.has(side.type)) return translate(side);
  if (side.role === 'this' && !needsBrackets(side, to)) return translate(side);
  const bracketed = build('Subquery', [as('this', translate(side))]);
  return as(side.role, to === 'sqlite' ? selectFrom(bracketed) : bracketed);
}

const ENDS: ReadonlySet<string> = new Set(['with', 'order', 'limit', 'offset']);

/** To the left stand without brackets what the target reads from left to right. */
function needsBrackets(side: SqlNode, to: Translation['to']): boolean {
  const above = side.parent?.type;
  if (to === 'bigquery') return side.type !== above;
  return GRAMMARS[to].intersectFirst && above === 'Intersect' && side.type !== 'Intersect';
}

function selectFrom(table: PrintableNode): PrintableNode {
  const from = build('From', [as('this', table)]);
  return build('Select', [as('expressions', build('Star')), as('from', from)]);
}
