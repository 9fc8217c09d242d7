/** What a model is asked of tables that nobody has described, and what it costs. */

export { type DescribeOutcome, describeTables } from './describe-tables.ts';
export { type DescriptionPlan, planDescriptions } from './plan-descriptions.ts';
