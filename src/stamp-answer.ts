import type { Answer, Answered, Disagreement, ModelUse } from './answer.ts';
import type { Request } from './boundary/index.ts';
import type { FoundRelated } from './find-related.ts';
import type { Candidate } from './generation/index.ts';
import type { Boundary } from './reasoning/index.ts';
import { recordId } from './record.ts';
import type { Session } from './session.ts';

/** How an answer ends before it is stamped with its question, time and record. */
export type Outcome = (
  | Boundary
  | {
      readonly kind: 'abstain';
      readonly reason: string;
      readonly candidates: readonly Candidate[];
      readonly disagreement?: Disagreement;
    }
  | Omit<Answered, 'question' | 'related' | 'recordId' | 'thinkMs' | 'model'>
) & { readonly model?: ModelUse };

export interface AnswerStamp {
  readonly request: Request;
  readonly found: FoundRelated;
  readonly at: Date;
  readonly thinkMs: number;
  readonly session: Session;
}

/** An outcome as the answer to its question. */
export function stampAnswer(outcome: Outcome, { request, found, at, thinkMs, session }: AnswerStamp): Answer {
  const { original: question, text } = request;
  const base = {
    question,
    ...(text !== question && { readAs: text }),
    ...found,
    thinkMs,
    recordId: recordId(question, at, session.nonce()),
  };
  if (outcome.kind === 'abstain') {
    const candidates = outcome.candidates.map(({ explanation, sql }) => ({
      label: explanation,
      question: text,
      sql,
    }));
    const { kind, reason, model, disagreement } = outcome;
    return {
      ...{ ...base, kind, reason, candidates },
      ...(disagreement !== undefined && { disagreement }),
      ...(model !== undefined && { model }),
    };
  }
  return { ...base, ...outcome };
}
