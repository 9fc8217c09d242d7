import {
  CHOICE_RISKS,
  type ChoiceRisks,
  GROUNDED_LINK_DEFAULTS,
  type GroundedLinkSettings,
} from '../reasoning/index.ts';
import { EVILINK_DEFAULTS, type EvilinkSettings } from './evilink/items/evilink-settings.ts';
import type { FilterOptions } from './filter/filter-schema.ts';
import { GATE_DEFAULTS, type GateSettings } from './gate/choose-mode.ts';
import { RANKER_DEFAULTS, type RankerSettings } from './rankers/ranker-settings.ts';
import type { LinkMode } from './schema/linked-schema.ts';

/** How linking is done; every published ablation is a value of one of these. */
export interface LinkSettings {
  /** `auto`: the gate chooses. */
  readonly mode: LinkMode | 'auto';
  readonly gate: GateSettings;
  /** What may be lost where the trained ranker chooses. */
  readonly risks: ChoiceRisks;
  /** What the filter goes by: the trained ranker, or the hits of retrieval as ThothAI has it. */
  readonly filterBy: 'ranking' | 'retrieval';
  readonly filter: FilterOptions;
  readonly evilink: EvilinkSettings;
  readonly grounded: GroundedLinkSettings;
  readonly rankers: RankerSettings;
  /** Whether tables and keys of join paths are added; measures of linking leave them out. */
  readonly completesJoins: boolean;
  /** Tokens that the linked schema may take in a prompt, and takes where more may be needed; absent: what was linked, however large. */
  readonly viewTokens?: number;
}

export const LINK_DEFAULTS: LinkSettings = {
  mode: 'auto',
  gate: GATE_DEFAULTS,
  risks: CHOICE_RISKS,
  filterBy: 'ranking',
  filter: {},
  evilink: EVILINK_DEFAULTS,
  grounded: GROUNDED_LINK_DEFAULTS,
  rankers: RANKER_DEFAULTS,
  completesJoins: true,
};
