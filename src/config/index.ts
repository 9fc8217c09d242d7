export {
  type Approval,
  type Config,
  type ConfigRequest,
  type Environment,
  type GroupRights,
  type ModelSettings,
  type OidcConfig,
  type ProfileSettings,
  presentOf,
  type ServerConfig,
  type TracingSettings,
  type UsageLogSettings,
  type ValueSettings,
} from './config.ts';
export { CONFIG_DEFAULTS, CONFIG_SCHEMA } from './config-schema.ts';
export { parseCron } from './cron.ts';
export {
  projectConfig,
  readConfig,
  readGivenModel,
  readTerminalEnvironment,
  readTracing,
  resolveDatabaseUrl,
} from './read-config.ts';
