/** SQL candidates with evidence, and which of them to take. */
export { selectCandidate } from './select/select-candidate.ts';
export type {
  CandidateOutcome,
  Selection,
  SelectionCandidate,
  SelectionGroup,
  SelectionOptions,
  SelectionStep,
} from './select/selection-candidate.ts';
export { type Candidate, writeCandidates } from './write-candidates.ts';
