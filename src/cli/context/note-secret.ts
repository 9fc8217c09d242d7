import { redactUrl } from '../../database/http/index.ts';
import type { Io } from '../terminal/io.ts';

/** A secret in a URL is not written to candor.yml; says so, and where it may come from instead. */
export function noteSecret(databaseUrl: string, io: Io): void {
  if (databaseUrl.includes('${') || redactUrl(databaseUrl) === databaseUrl) return;
  io.stderr.write(
    '\nThe password or token of the URL is not in candor.yml. Write it there as a $' +
      '{VARIABLE}, or set the variable that the\n' +
      'database’s own client reads: docs/guides/databases.md has both.\n',
  );
}
