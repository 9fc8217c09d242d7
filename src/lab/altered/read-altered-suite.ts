import { type ReadSuiteOptions, readSuite, SUITE_NAMES } from '../corpus/index.ts';
import { type AlteredSuite, readFerrum } from './read-ferrum.ts';

/** The suites of `candor eval`, and the messy company, whose own script scores it otherwise. */
export const ALTERED_SUITE_NAMES = [...SUITE_NAMES, 'ferrum'] as const;

export function readAlteredSuite(name: string, options: ReadSuiteOptions): Promise<AlteredSuite> {
  return name === 'ferrum' ? readFerrum(options, options.signal) : readSuite(name, options);
}
