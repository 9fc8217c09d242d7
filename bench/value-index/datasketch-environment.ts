import { type PythonEnvironment, preparePython } from '../python-environment.ts';

export const DATASKETCH_VERSION = '2.0.0';

/** A Python with the pinned datasketch. */
export function prepareDatasketch(
  mayInstall: boolean,
  onProgress: (line: string) => void,
): Promise<PythonEnvironment> {
  const wanted = {
    name: `datasketch ${DATASKETCH_VERSION}`,
    requirement: `datasketch==${DATASKETCH_VERSION}`,
    folder: `datasketch-${DATASKETCH_VERSION}`,
    python: '3.9',
  };
  return preparePython(wanted, { mayInstall, onProgress });
}
