/** What is wrong with a query by the schema alone, and how it is mended: for every stage that checks or repairs. */

export { certainFaults } from './certain-faults.ts';
export type { Complaint, ComplaintKind } from './complaint.ts';
export type { CertainFault, FaultKind } from './fault.ts';
export { type NearValues, storedNear } from './near-values.ts';
export { comparedColumn, literalLength, literalType, presence } from './reading/literals.ts';
export {
  type Compared,
  comparedWith,
  compatibilityReader,
  isPattern,
  operandsOf,
  operatorAt,
  unwrapped,
  writtenText,
} from './reading/operands.ts';
export { MOST_NODES, type QueryRead, type ReadQuery, readQuery } from './reading/read-query.ts';
export { readSelects, type SelectContext } from './reading/selects.ts';
export type { RemedyKind } from './repair/remedy.ts';
export { type RuleChange, type RuleRepair, repairByRules } from './repair/repair-by-rules.ts';
export { type RepairOptions, repairSql, type SqlChange, type SqlRepair } from './repair/repair-sql.ts';
export { nearestSchemaName } from './schema/nearest-schema-name.ts';
export { prepareSchemaFacts } from './schema/prepare-schema-facts.ts';
export type { NearestName, SampledValues, SchemaFacts } from './schema/schema-facts.ts';
