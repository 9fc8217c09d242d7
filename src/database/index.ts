export { connect } from './connect/connect.ts';
export { tableLister } from './connect/table-lister.ts';
export { type AccessPolicy, restrictsTables, visibleTables } from './guard/access-policy.ts';
export type { PlanCaps } from './guard/check-plan.ts';
export { guarded } from './guard/guard.ts';
export { readRedefined } from './guard/own-code.ts';
export { startThread } from './guard/start-thread.ts';
export type {
  Database,
  DatabaseSchema,
  EngineIdentity,
  Plan,
  QueryLimits,
  QueryResult,
  SchemaColumn,
  SchemaForeignKey,
  SchemaTable,
  ServerDescription,
} from './interface/database.ts';
export { decorate } from './interface/decorate.ts';
export type { TableScope } from './interface/table-scope.ts';
export { tableKey } from './interface/table-scope.ts';
export { databaseAttributes, tracedDatabase } from './interface/traced-database.ts';
export { loadDriver } from './server/server-database.ts';
