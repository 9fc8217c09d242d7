/** Schema linking, measured. */
export type { AskedCase, CaseLinker, LinkedIds, OpenLinker } from './case-linker.ts';
export { type GoldItems, goldItems } from './gold-items.ts';
export {
  LINK_SET_NAMES,
  type LinkCase,
  type LinkDatabase,
  type LinkSet,
  type LinkSetName,
} from './link-set.ts';
export { findLinker, LINKER_NAMES, type LinkerName } from './linkers/find-linker.ts';
export type { ReplayOptions } from './linkers/replay-linker.ts';
export { type LinkTrainingSetName, readLinkSet } from './read-link-set.ts';
export { type LinkSummary, renderLinkReport, summariseLinkReport } from './render-link-report.ts';
export { type LinkProgress, type LinkReport, runLinkSet } from './run-link-set.ts';
export type { LinkSetOptions } from './sets/set-options.ts';
