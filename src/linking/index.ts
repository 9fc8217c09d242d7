/** Which part of the schema the writer sees, and why. */
export { evilink } from './evilink/evilink.ts';
export {
  EVILINK_ABLATIONS,
  EVILINK_DEFAULTS,
  type EvilinkSettings,
} from './evilink/items/evilink-settings.ts';

export {
  GATE_DEFAULTS,
  type GateSettings,
} from './gate/choose-mode.ts';
export { LINK_DEFAULTS, type LinkSettings, linkSchema } from './link-schema.ts';
export { type PreparedLinking, prepareLinking } from './link-sources.ts';
export { checkQuestion, detectLanguage } from './normalise/check-question.ts';
export { type NormalisedQuestion, normalise } from './normalise/normalise.ts';
export { linkMentions } from './schema/link-mentions.ts';
export type { LinkedItem, LinkedSchema, LinkMode } from './schema/linked-schema.ts';

export { restrictCatalog } from './schema/restrict-catalog.ts';
