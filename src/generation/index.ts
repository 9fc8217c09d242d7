/** SQL candidates with evidence: how they are drawn, what helps to mend them, which of them to take. */
export { ANSWER_MODE_NAMES, ANSWER_MODES, type AnswerMode, type ModeSettings } from './answer-modes.ts';
export { evidenceOfLinks } from './evidence-of-links.ts';
export { research } from './research/research.ts';
export type { ResearchTools } from './research/research-tools.ts';
export { drawsFor } from './sampling-plan.ts';
export { areSameRows, selectCandidate } from './select/select-candidate.ts';
export type {
  Selection,
  SelectionCandidate,
  SelectionOptions,
} from './select/selection-candidate.ts';
export { type Candidate, writeCandidates } from './write-candidates.ts';
