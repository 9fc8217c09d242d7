import { preparePython } from '../python-environment.ts';

export const SKLEARN_VERSION = '1.9.1';

/** Python, pip or the package cannot be had here; the message says what to do. */
export class SklearnMissingError extends Error {}

/** The interpreter of a Python with the pinned scikit-learn; installed where it is missing, unless a quick run is wanted. */
export async function prepareSklearn(
  onProgress: (line: string) => void,
  { mayInstall }: { readonly mayInstall: boolean } = { mayInstall: true },
): Promise<string> {
  const wanted = {
    name: `scikit-learn ${SKLEARN_VERSION}`,
    requirement: `scikit-learn==${SKLEARN_VERSION}`,
    folder: `scikit-learn-${SKLEARN_VERSION}`,
    python: '3.11',
  };
  const made = await preparePython(wanted, { mayInstall, onProgress });
  if ('missing' in made) throw new SklearnMissingError(made.missing);
  return made.python;
}
