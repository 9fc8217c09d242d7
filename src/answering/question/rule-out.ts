import { beyondLearned, precheck, type Request } from '../../boundary/index.ts';
import type { Boundary } from '../../reasoning/index.ts';
import type { Session } from '../../session/index.ts';
import { suggestQuestions } from './suggest-questions.ts';
import { replyToTalk } from './talk/index.ts';

/**
 * What the words alone decide, before anything is read. With a model only what no reading could change: a write request, and what
 * the project lists as out of scope; it reads other languages, and answers talk itself.
 */
export function ruleOut(request: Request, session: Session, now: Date): Boundary | null {
  const { semantics, knowledge, isBeyond, models } = session;
  const boundary = precheck(request, semantics, knowledge.columnsHolding);
  if (models !== undefined) return boundary?.kind === 'reject' ? boundary : null;
  return (
    boundary ??
    replyToTalk(request, { session, now, suggest: () => suggestQuestions(session) }) ??
    beyondLearned(request, isBeyond)
  );
}
