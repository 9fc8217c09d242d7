/** Whether a repaired query may take the place of the one before. */

import type { QueryRead, ReadQuery } from '../../faults/index.ts';
import { checkReadOnly } from '../../sql/index.ts';
import type { Assessment } from '../node-risk.ts';
import { findEditOutside } from './find-edit-outside.ts';
import type { RepairOrder } from './repair-order.ts';

export interface RepairCheck {
  readonly before: ReadQuery;
  readonly after: QueryRead;
  readonly order: RepairOrder;
  readonly assessmentBefore: Assessment;
  readonly assessmentAfter: Assessment;
  /** All other checks (names, EXPLAIN, access) passed on the repaired query. */
  readonly checksOk: boolean;
}

export type RepairRefusal =
  | 'does not parse'
  | 'not read-only'
  | 'unchanged'
  | 'edit outside the units'
  | 'checks failed'
  | 'risk not lower';

export type RepairVerdict =
  | { readonly isAccepted: true /** By how much the query risk fell. */; readonly fall: number }
  | {
      readonly isAccepted: false;
      readonly because: RepairRefusal /** A clause for people. */;
      readonly detail: string;
    };

/** The query risk must fall by so much at least; overview.md §6. */
export const LEAST_FALL = 0.05;
/** 0.5 to 0.45 is a fall of 0.05, whatever the bits of a double say. */
const ROUNDING = 1e-9;

/** Accepts a repair that parses, only reads, changes nothing but the units of the order, passes the checks and lowers the risk. */
export function checkRepair(check: RepairCheck): RepairVerdict {
  const { before, after, order, checksOk } = check;
  if (!after.ok) {
    const place =
      after.error === undefined ? '' : ` (line ${after.error.line}, column ${after.error.column})`;
    return refused('does not parse', `the repaired query ${after.because}${place}`);
  }
  const verdict = checkReadOnly(after.query.tree);
  if (!verdict.readOnly) return refused('not read-only', verdict.reason);
  if (after.query.tree.text.trim() === before.tree.text.trim())
    return refused('unchanged', 'the repaired query is the same text');
  const outside = findEditOutside(before, after.query, order);
  if (outside !== undefined) return refused('edit outside the units', outside);
  if (!checksOk) return refused('checks failed', 'a check of the repaired query failed');
  return byRisk(check);
}

function byRisk({ assessmentBefore, assessmentAfter }: RepairCheck): RepairVerdict {
  const fall = assessmentBefore.queryRisk - assessmentAfter.queryRisk;
  if (assessmentAfter.unreadBecause === undefined && fall >= LEAST_FALL - ROUNDING)
    return { isAccepted: true, fall };
  const [from, to] = [assessmentBefore.queryRisk.toFixed(2), assessmentAfter.queryRisk.toFixed(2)];
  return refused('risk not lower', `the risk was ${from} and is ${to}; it must fall by ${LEAST_FALL}`);
}

function refused(because: RepairRefusal, detail: string): RepairVerdict {
  return { isAccepted: false, because, detail };
}
