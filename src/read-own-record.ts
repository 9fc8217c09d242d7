import { CandorError } from './errors.ts';
import type { DecisionRecord } from './record.ts';
import type { Session } from './session.ts';

/** A record of whom the session is for; that of another is as if it were not there. Throws `record.*`. */
export async function readOwnRecord(
  id: string,
  { records, reader }: Pick<Session, 'records' | 'reader'>,
): Promise<DecisionRecord> {
  const record = await records.read(id);
  if (reader === undefined || record.reader === reader) return record;
  throw new CandorError('record.not-found', `There is no record “${id}”.`);
}
