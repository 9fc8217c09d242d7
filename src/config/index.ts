export type {
  Approval,
  Config,
  ConfigRequest,
  Environment,
  GroupRights,
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
export { projectConfig, readConfig, readTerminalEnvironment, resolveDatabaseUrl } from './read-config.ts';
