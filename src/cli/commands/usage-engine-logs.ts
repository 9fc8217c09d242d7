/** Logs that are tables of an engine, as `candor.yml` names them. */
import type { Config } from '../../config/index.ts';
import { connect, guarded } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { type IngestedDays, ingestEngineLog, isOfEngine } from '../../knowledge/index.ts';

/** Throws `usage.no-live-source` where none is configured, or none of the name. */
export function chooseLogs(
  { usageLogs }: Pick<Config, 'usageLogs'>,
  logs: true | string | undefined,
): Config['usageLogs'] {
  if (logs === undefined) return [];
  const chosen = logs === true ? usageLogs : usageLogs.filter(({ name }) => name === logs);
  if (chosen.length > 0) return chosen;
  const known = usageLogs.map(({ name }) => name).join(', ');
  throw new CandorError(
    'usage.no-live-source',
    `candor.yml names no log${logs === true ? '' : ` ${logs}`} under usage.logs${known === '' ? '' : `; it names ${known}`}`,
  );
}

/** One after the other, each through a connection of its own. Throws what `ingestEngineLog` throws. */
export async function readEngineLogs(
  config: Pick<Config, 'root'>,
  file: Parameters<typeof ingestEngineLog>[0],
  logs: Config['usageLogs'],
  options: Parameters<typeof ingestEngineLog>[3],
): Promise<readonly IngestedDays[]> {
  const read: IngestedDays[] = [];
  for (const { url, ...log } of logs) {
    const database = await connect(url, { baseDirectory: config.root });
    try {
      const source = isOfEngine(log) ? database : guarded(database, { kind: 'own-queries' });
      read.push(await ingestEngineLog(file, source, log, options));
    } finally {
      await database.close();
    }
  }
  return read;
}
