import { type KnownExample, knownExamples } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';

const KEPT = new WeakMap<Session, readonly KnownExample[]>();

/** Verified pairs that read nothing but tables of this reader; they are parsed once. */
export function readableExamples(session: Session): readonly KnownExample[] {
  const known = KEPT.get(session) ?? knownExamples(session.examples, session.catalog).examples;
  KEPT.set(session, known);
  return known;
}
