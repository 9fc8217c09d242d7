/** Which part of the schema the writer sees, and why. */
export { type EvilinkResult, evilink } from './evilink/evilink.ts';
export {
  checkEvilinkSettings,
  EVILINK_ABLATIONS,
  EVILINK_DEFAULTS,
  type EvilinkSettings,
} from './evilink/evilink-settings.ts';
export type { EvilinkProgress, EvilinkSources } from './evilink/evilink-sources.ts';

export { filterEvidence } from './filter/filter-evidence.ts';
export { type FilteredSchema, type FilterOptions, filterSchema } from './filter/filter-schema.ts';
export {
  type ChosenMode,
  chooseMode,
  GATE_DEFAULTS,
  type GateFacts,
  type GateSettings,
} from './gate/choose-mode.ts';
export { type DominanceFacts, dominanceFacts } from './gate/dominance-facts.ts';
export type { JoinKey, JoinKeys } from './join-paths/join-key.ts';
export { type JoinKeyOptions, joinKeys } from './join-paths/join-keys.ts';
export { type JoinPaths, joinPaths } from './join-paths/join-paths.ts';
export { linkMentions } from './link-mentions.ts';
export { linkSchema } from './link-schema.ts';
export { LINK_DEFAULTS, type LinkSettings } from './link-settings.ts';
export { type LinkSources, type PreparedLinking, prepareLinking } from './link-sources.ts';
export type { LinkedItem, LinkedSchema, LinkMode, LinkReason } from './linked-schema.ts';
export { checkQuestion } from './normalise/check-question.ts';
export { detectLanguage } from './normalise/detect-language.ts';
export { type NormalisedQuestion, type NormaliseRequest, normalise } from './normalise/normalise.ts';
export { linkByRankers } from './rankers/link-by-rankers.ts';
export { RANKER_DEFAULTS, type RankerSettings } from './rankers/ranker-settings.ts';
export type { RankerSources } from './rankers/ranker-sources.ts';
export { restrictCatalog } from './restrict-catalog.ts';
