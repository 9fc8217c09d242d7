/** What keeps and notes what a model is shown. */

export { disclosing } from './disclosing.ts';
export { privately } from './privately.ts';
export { valueProbe } from './value-probe.ts';
