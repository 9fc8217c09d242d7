import type { Config } from '../config/index.ts';
import { openLakeSession } from './lake/open-lake-session.ts';
import { type OpenOptions, openSession } from './project/open-session.ts';
import type { Session } from './project/session.ts';

/** Opens a session over what the project's database is: a catalog, or a lake of tables. `close` it. */
export function openProject(config: Config, options: OpenOptions = {}): Promise<Session> {
  return config.catalog === 'lake' ? openLakeSession(config, options) : openSession(config, options);
}
