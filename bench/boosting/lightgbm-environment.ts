import { type PythonEnvironment, preparePython } from '../python-environment.ts';

export const LIGHTGBM_VERSION = '4.7.0';

/** A Python with the pinned LightGBM. */
export function prepareLightgbm(
  mayInstall: boolean,
  onProgress: (line: string) => void,
): Promise<PythonEnvironment> {
  const wanted = {
    name: `LightGBM ${LIGHTGBM_VERSION}`,
    requirement: `lightgbm==${LIGHTGBM_VERSION}`,
    folder: `lightgbm-${LIGHTGBM_VERSION}`,
    python: '3.10',
  };
  return preparePython(wanted, { mayInstall, onProgress });
}
