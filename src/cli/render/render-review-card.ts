/** Everything `candor review` says of a query: its marked parts, what is certain, what to do with it, and its repair. */

import type { Repair, Review } from '../../answering/index.ts';
import { unreachable } from '../../errors.ts';
import { escapeControl } from '../../lib/index.ts';
import type { RiskAction, RiskDecision } from '../../uncertainty/index.ts';
import type { Style } from './layout/style.ts';
import { type ReviewLayout, renderReview } from './render-review.ts';

export interface ReviewCardOptions {
  /** Then a review without a repair says that there is none. */
  readonly isRepairAsked?: boolean;
}

export function renderReviewCard(
  review: Review,
  layout: ReviewLayout,
  { isRepairAsked = false }: ReviewCardOptions = {},
): string {
  const { style } = layout;
  const { stopsAt, faults, decision, repair, unsafe } = review;
  const certain = faults.map(
    ({ text, instead }) =>
      `  ${style.bold('certain')}  ${escapeControl(text)}${instead.length === 0 ? '' : style.dim(` (there is ${escapeControl(instead.join(', '))})`)}`,
  );
  const blocks = [
    renderReview(review.assessment, layout).trimEnd(),
    ...(certain.length === 0 ? [] : [certain.join('\n')]),
    ...(stopsAt === undefined
      ? []
      : [`line ${stopsAt.line}, column ${stopsAt.column}: ${escapeControl(stopsAt.message)}`]),
    unsafe === undefined
      ? decisionLine(decision, style)
      : `${style.bold('Reject')}: ${escapeControl(decision.reason)}.`,
    ...(repair === undefined ? [] : [repairBlock(repair, layout)]),
    ...(isRepairAsked && repair === undefined && unsafe === undefined ? [noRepairLine(review)] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function decisionLine({ action, reason }: RiskDecision, style: Style): string {
  return `${style.bold(wordsOf(action))}: ${escapeControl(reason)}.`;
}

function wordsOf(action: RiskAction): string {
  switch (action) {
    case 'answer':
      return 'Answer';
    case 'warn':
      return 'Warn';
    case 'repair':
      return 'Repair';
    case 'abstain':
      return 'Abstain';
    default:
      return unreachable(action);
  }
}

function noRepairLine({ decision, assessment }: Review): string {
  if (decision.action === 'answer') return 'Nothing to repair.';
  // What cannot be read is not stored as a correction either.
  const isStorable = assessment.unreadBecause === undefined;
  const store = isStorable ? ', and store what it should have been with --question and --corrected' : '';
  return `No rule knows a repair: correct it by hand${store}.`;
}

function repairBlock({ sql, changes, verdict, assessment, decision }: Repair, layout: ReviewLayout): string {
  const { style } = layout;
  const lines = changes.map(
    ({ from, to, because }) =>
      `  ${escapeControl(from)} → ${style.bold(escapeControl(to))}  ${style.dim(escapeControl(because))}`,
  );
  const head = verdict.isAccepted
    ? style.green(`Repaired, the risk falls by ${Math.round(verdict.fall * 100)} points:`)
    : style.yellow(`A repair was tried and refused (${escapeControl(verdict.detail)}):`);
  if (!verdict.isAccepted) return [head, ...lines].join('\n');
  const repaired = renderReview({ ...assessment, sql }, layout).trimEnd();
  return [[head, ...lines].join('\n'), repaired, decisionLine(decision, style)].join('\n\n');
}
