/** SQL candidates with evidence. */
export { type Candidate, writeCandidates } from './write-candidates.ts';
