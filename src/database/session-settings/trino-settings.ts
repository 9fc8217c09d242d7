import { pinned, type SessionSetting, watched } from './session-setting.ts';

/** Headers of every request; a server that forces a zone on its clients tells so when it is asked which one holds. */
export const TRINO_SETTINGS: readonly SessionSetting[] = [
  pinned(
    'X-Trino-Time-Zone',
    'UTC',
    'current_date and how times with a zone are read; by default that of the server',
  ),
  pinned('X-Trino-Language', 'en-US', 'the names that date_format writes; by default those of the server'),
  pinned(
    'X-Trino-Client-Capabilities',
    'PARAMETRIC_DATETIME',
    'without it times lose digits below the millisecond',
  ),
  pinned(
    'X-Trino-Path',
    'system.builtin',
    'whose functions a name means where the engine’s own takes other arguments',
  ),
  watched('sql.forced-session-time-zone', 'UTC', 'the zone of the client, which the server does not take'),
];
