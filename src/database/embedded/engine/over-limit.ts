import { CandorError } from '../../../errors.ts';
import type { EmbeddedLimits } from './embedded-settings.ts';

const MB = 1024 * 1024;

/** Whether the engine refuses it or its process is ended for it. */
export function memoryMessage({ memoryBytes }: Pick<EmbeddedLimits, 'memoryBytes'>): string {
  return `the query needed more than ${Math.round(memoryBytes / MB)} MB of memory`;
}

export function memoryError(limits: EmbeddedLimits): CandorError {
  const { memoryBytes } = limits;
  return new CandorError('database.out-of-memory', memoryMessage(limits), { data: { memoryBytes } });
}

export function temporaryError({ temporaryBytes }: EmbeddedLimits): CandorError {
  const message = `the query needed more than ${Math.round(temporaryBytes / MB)} MB of temporary files`;
  return new CandorError('database.out-of-memory', message, { data: { temporaryBytes } });
}
