import { pinned, type SessionSetting } from './session-setting.ts';

/** Fields of every request; `time_zone` is a property of the connection. */
export const BIGQUERY_SETTINGS: readonly SessionSetting[] = [
  pinned('useLegacySql', 'false', 'true: another language, in which the same words mean something else'),
  pinned('time_zone', 'UTC', 'CURRENT_DATE and how moments are cut; by default that of the project'),
];
