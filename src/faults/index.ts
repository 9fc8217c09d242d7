/** What is wrong with a query by the schema alone, and how it is mended: for every stage that checks or repairs. */

export { certainFaults } from './find/certain-faults.ts';
export type { Complaint, ComplaintKind } from './find/complaint-faults.ts';
export { type NearValues, storedNear } from './find/complaint-faults.ts';
export type { CertainFault, FaultKind } from './find/fault.ts';

export { type RuleRepair, repairByRules } from './repair/repair-by-rules.ts';
export {
  guessesFor,
  offerRepairs,
  repairSql,
} from './repair/repair-sql.ts';
export type { SqlChange } from './repair/repair-steps.ts';

export { prepareSchemaFacts } from './schema/prepare-schema-facts.ts';
export type { NearestName, SampledValues, SchemaFacts } from './schema/schema-facts.ts';
export { queryVariants } from './variants/query-variants.ts';
export type { QueryVariant } from './variants/variant.ts';
