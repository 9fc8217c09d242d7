/** Logs that are tables of an engine, as `candor.yml` names them. */
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';

/** Throws `usage.unknown-log` where none is configured, or none of the name. */
export function chooseLogs(
  { usageLogs }: Pick<Config, 'usageLogs'>,
  logs: true | string | undefined,
): Config['usageLogs'] {
  if (logs === undefined) return [];
  const chosen = logs === true ? usageLogs : usageLogs.filter(({ name }) => name === logs);
  if (chosen.length > 0) return chosen;
  const known = usageLogs.map(({ name }) => name).join(', ');
  throw new CandorError(
    'usage.unknown-log',
    `candor.yml names no log${logs === true ? '' : ` ${logs}`} under usage.logs${known === '' ? '' : `; it names ${known}`}`,
  );
}
