/** SQL candidates with evidence: how they are drawn, what helps to mend them. */
export { ANSWER_MODE_NAMES, ANSWER_MODES, type AnswerMode, type ModeSettings } from './answer-modes.ts';
export { drawsFor } from './draws.ts';
export { evidenceOfLinks } from './evidence-of-links.ts';
export { type Researched, research } from './research/research.ts';
export type { ResearchDesk } from './research/research-tools.ts';
export { type Candidate, writeCandidates } from './write-candidates.ts';
