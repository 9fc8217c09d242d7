import type { Config } from './config/index.ts';
import { openLakeSession } from './open-lake-session.ts';
import { type OpenOptions, openSession, type Session } from './session.ts';

/** Opens a session over what the project's database is: a catalog, or a lake of tables. `closeSession` closes it. */
export function openProject(config: Config, options: OpenOptions = {}): Promise<Session> {
  return config.catalog === 'lake' ? openLakeSession(config, options) : openSession(config, options);
}
