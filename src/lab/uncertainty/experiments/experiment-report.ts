/** What the experiments of node uncertainty found: AUC, ECE and shares in [0, 1], accuracies in percent. */
import type { Localisation } from './localisation.ts';
import type { NodeFigures } from './node-figures.ts';
import type { QueryFigures } from './query-figures.ts';
import type { SelectionFigures } from './selection.ts';
import type { ShippedFigures } from './shipped.ts';

export interface ExperimentReport {
  /** Answers to the five prompts that cannot be read and have no nodes; absent where no experiment needed the prompts. */
  readonly unread?: number;
  /** Features of the query, the schema, the question, the hint, descriptions, values and keys. */
  readonly static?: MeasuredTwice;
  /** The same and agreement with four other prompts of the same model. */
  readonly samples4?: MeasuredTwice;
  readonly pickFive?: SelectionFigures;
  /** The 72 features of the specification alone. */
  readonly published72?: { readonly tolerant: NodeFigures; readonly published: NodeFigures };
  /** Experiment 1. */
  readonly inDatabase?: NodeFigures;
  /** From Spider to BIRD. */
  readonly transfer?: NodeFigures;
  /** Each of the five prompts beside eight set-ups of other systems and models: an ensemble. */
  readonly setups8?: Measured & { readonly setups: readonly string[] };
  /** By risk alone; and by risk, agreement and who wrote it, an ensemble. */
  readonly pickAllByRisk?: SelectionFigures;
  readonly pickAll?: SelectionFigures;
  readonly allCandidates?: Measured;
  /** The model that comes with Candor, as it is: nothing is trained. */
  readonly shipped?: readonly ShippedFigures[];
}

/** On the test databases by the whole model, on the open ones by models that had not seen the database. */
export interface Measured {
  readonly test: MeasuredPart;
  readonly open: MeasuredPart;
}

/** And on the test databases with labels as the paper words them. */
export interface MeasuredTwice extends Measured {
  readonly published: NodeFigures;
}

export interface MeasuredPart {
  readonly nodes: NodeFigures;
  readonly localisation: Localisation;
  readonly queries: QueryFigures;
  /** Of the right queries, the share that carries an error label. */
  readonly rightWithError: number;
}
