/** Schema linking, measured. */
export { ABLATION_NAMES, ABLATIONS, readAblations } from './ablations.ts';
export { findLinker } from './linkers/find-linker.ts';
export { LINKER_NAMES, type LinkerName } from './linkers/linker-names.ts';
export { type LinkTrainingSetName, readLinkSet } from './read-link-set.ts';
export { renderLinkReport, summariseLinkReport } from './render-link-report.ts';
export { type LinkReport, runLinkSet } from './run-link-set.ts';
export { bestGold, type GoldSet } from './score/best-gold.ts';
export { type GoldItems, goldItems } from './score/gold-items.ts';
export {
  LINK_SET_NAMES,
  type LinkCase,
  type LinkDatabase,
  type LinkSet,
  type LinkSetName,
} from './sets/link-set.ts';
