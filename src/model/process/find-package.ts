import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { CandorError } from '../../errors.ts';

/**
 * The file to load of an optional package: first from the folder of the user's packages, then from beside ours. `user`
 * is what needs it. Throws `model.package-missing` with the line that installs it.
 */
export function findPackage(
  name: string,
  user: string,
  install: string,
  packageDirectory: string | undefined,
): string {
  const places = packageDirectory === undefined ? [] : [join(resolve(packageDirectory), 'package.json')];
  for (const from of [...places, import.meta.url]) {
    try {
      return createRequire(from).resolve(name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    }
  }
  throw new CandorError(
    'model.package-missing',
    `${user} needs the package ${name}; install it with: ${install}`,
    {
      data: { install },
    },
  );
}
