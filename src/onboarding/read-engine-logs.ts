/** Logs that are tables of an engine, as `candor.yml` names them. */
import type { Config } from '../config/index.ts';
import { connect, guarded } from '../database/index.ts';
import { type IngestedDays, ingestEngineLog, isOfEngine } from '../knowledge/usage/index.ts';

/** One after the other, each through a connection of its own. Throws what `ingestEngineLog` throws. */
export async function readEngineLogs(
  config: Pick<Config, 'root' | 'embedded' | 'allowedCode'>,
  file: Parameters<typeof ingestEngineLog>[0],
  logs: Config['usageLogs'],
  options: Parameters<typeof ingestEngineLog>[3],
): Promise<readonly IngestedDays[]> {
  const read: IngestedDays[] = [];
  for (const { url, ...log } of logs) {
    const database = await connect(url, { baseDirectory: config.root, embedded: config.embedded });
    try {
      const source = isOfEngine(log)
        ? database
        : guarded(database, { kind: 'own-queries', allowedCode: config.allowedCode });
      read.push(await ingestEngineLog(file, source, log, options));
    } finally {
      await database.close();
    }
  }
  return read;
}
