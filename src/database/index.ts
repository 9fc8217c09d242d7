export { type ConnectOptions, connect } from './connect.ts';
export { addEnvironmentSecret, fillUrl, isServerUrl, redactUrl } from './connection-url.ts';
export type {
  Database,
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  SchemaColumn,
  SchemaForeignKey,
  SchemaTable,
  ServerDescription,
} from './database.ts';
export { guard, guarded } from './guard.ts';
export { tableKey } from './table-key.ts';
