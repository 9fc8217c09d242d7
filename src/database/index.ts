export { type ConnectOptions, connect } from './connect.ts';
export type {
  Database,
  DatabaseSchema,
  QueryLimits,
  QueryResult,
  SchemaColumn,
  SchemaForeignKey,
  SchemaTable,
} from './database.ts';
export { guard, guarded } from './guard.ts';
