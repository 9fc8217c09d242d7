/** SQL that was written elsewhere, read as hypotheses of linking. */
export { DEFAULT_EXPANSIONS, EXPANSION_NAMES, type ExpansionName } from './expansions.ts';
export { differences, readHypothesis, readUse, type SqlUse } from './read-hypothesis.ts';
export { type ReplaySettings, replayReasoner } from './replay-reasoner.ts';
