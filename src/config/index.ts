export type {
  Approval,
  Config,
  ConfigRequest,
  Environment,
  GroupRights,
  JobsConfig,
  ModelSettings,
  OidcConfig,
  ProfileSettings,
  SearchSettings,
  ServerConfig,
  TerminalEnvironment,
  UsageLogSettings,
  ValueSettings,
} from './config.ts';
export { CONFIG_DEFAULTS, CONFIG_FILE, CONFIG_SCHEMA, MODEL_NAME } from './config-schema.ts';
export { parseCron } from './cron.ts';
export {
  projectConfig,
  readConfig,
  readGivenModel,
  readTerminalEnvironment,
  resolveDatabaseUrl,
} from './read-config.ts';
