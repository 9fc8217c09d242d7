import { searchCarrier } from '../boundary/index.ts';
import { writeCandidates } from '../generation/index.ts';
import type { NotWritten } from '../reasoning/index.ts';
import type { Session } from '../session.ts';
import type { Interpretation } from './answer-context.ts';
import type { Outcome } from './build-answer.ts';
import type { LinkedQuestion } from './link-question.ts';

const MOST_NEAREST = 5;

/**
 * A model proposes a refusal; only a search that fails confirms it. Where the search finds what is said to be missing, both
 * sides are shown and nobody is believed. Source: issue 10.
 */
export function verifyMissing(
  { missing, because }: NotWritten,
  { linked }: LinkedQuestion,
  { readings }: Interpretation,
  { knowledge }: Pick<Session, 'knowledge'>,
): Outcome {
  const { searched, carriers } = searchCarrier(missing, knowledge);
  if (carriers.length > 0)
    return {
      kind: 'abstain',
      reason: `The model says that “${missing}” is missing; a search finds ${carriers.join(', ')}.`,
      candidates: writeCandidates(readings),
      disagreement: { missing, because, searched },
    };
  const tables = linked?.items.filter(({ kind }) => kind === 'table').map(({ id }) => id) ?? [];
  return {
    kind: 'reject',
    reason: 'scope',
    missing,
    message: because || `Nothing in this database holds “${missing}”.`,
    nearest: tables.slice(0, MOST_NEAREST),
    searched,
  };
}

/**
 * A model reads the text as no question to this database; where words of it name things here, both sides are shown. Source:
 * issue 10.
 */
export function verifyNothingMeant(
  because: string,
  { text, links, readings }: Interpretation,
  { knowledge }: Pick<Session, 'knowledge'>,
): Outcome {
  const { searched, carriers } = searchCarrier(text, knowledge);
  const known = [...new Set([...links, ...carriers])];
  const reason = because || 'The question names nothing that this database holds.';
  if (known.length === 0)
    return { kind: 'reject', reason: 'scope', missing: text, message: reason, nearest: [], searched };
  return {
    kind: 'abstain',
    reason: `The model says that nothing here is asked for; a search finds ${known.slice(0, MOST_NEAREST).join(', ')}.`,
    candidates: writeCandidates(readings),
    disagreement: { missing: text, because: reason, searched },
  };
}
