import { createHash } from 'node:crypto';
import type { Session } from '../../session/index.ts';
import { policyText } from '../files/check-semantics.ts';

/**
 * What rows and values are seen through, as a hash: row filters and masks of the project, and the properties of the session.
 * Undefined where the project was opened anew with another semantic model since the session was made.
 */
export function policyFingerprint(
  { semanticsFingerprint, config }: Pick<Session, 'semanticsFingerprint' | 'config'>,
  project: Pick<Session, 'semanticsFingerprint' | 'semantics'>,
): string | undefined {
  if (semanticsFingerprint !== project.semanticsFingerprint) return undefined;
  const properties = Object.entries(config.sessionProperties).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return createHash('sha256')
    .update(JSON.stringify([policyText(project.semantics), properties]))
    .digest('hex');
}
