import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { Request } from '../question/normalise-question.ts';

/** Whether a question is of the kind that people found to have no answer here; see `candor train boundary`. */
export type IsBeyond = (question: string) => boolean;

/** A wording of the kind that labelled questions without an answer have. A model may still read it better. */
export function beyondLearned({ text }: Request, isBeyond: IsBeyond | undefined): Boundary | null {
  if (isBeyond === undefined || !isBeyond(text)) return null;
  return {
    kind: 'reject',
    reason: 'scope',
    cause: 'unanswerable',
    missing: text,
    message: 'Questions of this kind were found to have no answer in this database.',
    nearest: [],
  };
}
