/** What a mind does for the pipeline: today the grounded engine. */
export { buildKnowledge, type GroundedKnowledge, hypothesise } from './grounded/index.ts';
export type {
  HypothesisAxis,
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  NamedField,
  NamedTable,
  RefineCall,
  RefineResult,
  RefineTool,
  RefineView,
  SchemaView,
  UncertainItem,
  ViewedTable,
} from './link-reasoner.ts';
export type { Boundary, Hypotheses, MentionNote, Reading } from './reading.ts';
