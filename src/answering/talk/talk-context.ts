import type { Session } from '../../session.ts';

export interface TalkContext {
  readonly session: Session;
  readonly now: Date;
  /** Questions that this session answers, to begin with. */
  readonly suggest: () => readonly string[];
}
