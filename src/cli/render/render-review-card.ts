/** Everything `candor review` says of a query: its marked parts, what is certain, what to do with it, and its repair. */

import { unreachable } from '../../errors.ts';
import type { Repair, Review } from '../../review-query.ts';
import type { RiskAction, RiskDecision } from '../../uncertainty/index.ts';
import { escapeControl } from './escape-control.ts';
import { type ReviewLayout, renderReview } from './render-review.ts';
import type { Style } from './style.ts';

export function renderReviewCard(review: Review, layout: ReviewLayout): string {
  const { style } = layout;
  const { stopsAt, faults, decision, repair } = review;
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
    decisionLine(decision, style),
    ...(repair === undefined ? [] : [repairBlock(repair, layout)]),
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
