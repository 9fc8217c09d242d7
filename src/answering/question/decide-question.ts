import {
  type Decision,
  decide,
  poolLabelled,
  type Request,
  searchCarrier,
  weighReadings,
} from '../../boundary/index.ts';
import { hypothesise } from '../../reasoning/grounded/index.ts';
import type { Hypotheses } from '../../reasoning/roles/reading.ts';
import type { Session } from '../../session/index.ts';
import { gateByWords, tellUnread } from '../assess/word-ledger.ts';

export interface DecideContext {
  readonly session: Pick<Session, 'config' | 'catalog' | 'semantics' | 'knowledge' | 'values' | 'models'>;
  /** The present of the question. */
  readonly now: Date;
  readonly hint?: string | undefined;
}

/** What the readings of a question lead to; where several meanings are near, a question back that settles it. */
export function decideQuestion(
  request: Request,
  hypotheses: Hypotheses,
  { session, now, hint }: DecideContext,
): Decision {
  const { knowledge, values, config } = session;
  const { minProbability } = config;
  const pooled = {
    ...hypotheses,
    readings: poolLabelled(hypotheses.readings, session.catalog, minProbability),
  };
  const decision = decide(request, pooled, { knowledge, values, minProbability });
  if (decision.kind === 'boundary') return withSearch(decision, session);
  // A model reads the words for itself, and what the engine reads is advice to it.
  const used = session.models === undefined ? byWords(decision, request, { session, now, hint }) : decision;
  if (used.kind !== 'sql') return used.kind === 'boundary' ? withSearch(used, session) : used;
  const weighed = weighReadings(used.readings, {
    question: request.text,
    schema: session.catalog,
    semantics: session.semantics,
    read: (question) => readingsOf(hypothesise(question, session.knowledge, now, hint)),
  });
  switch (weighed.kind) {
    case 'one':
      return used;
    case 'default':
      return { kind: 'sql', readings: weighed.readings };
    case 'ask':
      return { kind: 'boundary', boundary: weighed.boundary, rivals: weighed.rivals };
  }
}

function byWords(
  decision: Exclude<Decision, { readonly kind: 'boundary' }>,
  request: Request,
  { session, now, hint }: DecideContext,
): Decision {
  return decision.kind === 'sql'
    ? gateByWords(decision.readings, request, session, { now, hint })
    : tellUnread(decision, request, session, { now, hint });
}

/** A refusal says what was looked through. */
function withSearch(
  decision: Extract<Decision, { readonly kind: 'boundary' }>,
  { knowledge }: DecideContext['session'],
): Decision {
  const { boundary } = decision;
  if (boundary.kind !== 'reject') return decision;
  const { searched } = searchCarrier(boundary.missing, knowledge);
  return { ...decision, boundary: { ...boundary, searched } };
}

/** A text that runs into a boundary is not understood as anything. */
function readingsOf({ boundary, readings }: Hypotheses): Hypotheses['readings'] {
  return boundary === undefined ? readings : [];
}
