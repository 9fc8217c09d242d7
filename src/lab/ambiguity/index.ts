/** Ambiguous questions, measured. */
export {
  type AmbiguityReport,
  type AmbiguityRunOptions,
  type AmbiguityShare,
  type AmbiguitySplit,
  runAmbiguity,
} from './run-ambiguity.ts';
