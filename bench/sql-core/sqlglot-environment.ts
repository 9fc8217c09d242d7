import { preparePython } from '../python-environment.ts';

export const SQLGLOT_VERSION = '30.30.0';

/** SQLGlot comes as plain Python and, from the same authors, compiled to C: the same code, two to three times as fast. */
export type SqlglotBuild = 'python' | 'compiled';

export interface SqlglotEnvironment {
  readonly build: SqlglotBuild;
  /** Path of the interpreter. */
  readonly python: string;
  /** Where answers are kept. */
  readonly folder: string;
}

/** Python, pip or the package cannot be had here; the message says what to do. */
export class SqlglotMissingError extends Error {}

/** A Python with the pinned SQLGlot; `onProgress` hears of the slow part. */
export async function prepareSqlglot(
  build: SqlglotBuild,
  onProgress: (line: string) => void,
): Promise<SqlglotEnvironment> {
  const [extra, suffix] = build === 'compiled' ? ['[c]', '-compiled'] : ['', ''];
  const wanted = {
    name: `SQLGlot ${SQLGLOT_VERSION} (${build})`,
    requirement: `sqlglot${extra}==${SQLGLOT_VERSION}`,
    folder: `sqlglot-${SQLGLOT_VERSION}${suffix}`,
    python: '3.9',
  };
  const made = await preparePython(wanted, { mayInstall: true, onProgress });
  if ('missing' in made) throw new SqlglotMissingError(made.missing);
  return { build, ...made };
}
