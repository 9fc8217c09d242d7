/** Ambiguous questions, measured. */
export {
  type AmbiguityReport,
  type AmbiguitySplit,
  runAmbiguity,
} from './run-ambiguity.ts';
