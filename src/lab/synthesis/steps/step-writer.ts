import type { Cell } from '../../../sql/dialects/index.ts';
import type { Query, SelectQuery } from '../../../sql/print/index.ts';
import type { Step, Structure } from '../items/structure.ts';
import type { BlockRequest } from './block.ts';

/** Figures as one way of writing them gives them: values of the groups, then the figure. */
export type ReadFigures = (request: BlockRequest) => Promise<readonly FigureRow[]>;

export interface FigureRow {
  readonly keys: readonly Cell[];
  readonly figure: number;
}

/** A structure whose step is of one kind, the filters, groups and period of its figures, and how blocks are written. */
export interface StepTask<Kind extends Step['kind']> {
  readonly structure: Structure;
  readonly step: Extract<Step, { readonly kind: Kind }>;
  /** Null where the figure cannot be reached. */
  readonly block: (request: BlockRequest) => SelectQuery | null;
  /** The period of the structure, by default that of the time rule. */
  readonly own: BlockRequest;
}

/** One kind of step: as SQL over blocks, and worked out by hand from figures that were read in another way. */
export interface StepWriter<Kind extends Step['kind']> {
  readonly compile: (task: StepTask<Kind>) => Query | null;
  /** The rows that `compile` should give; null where the answer hangs on ties or gaps, so that there is no one gold. */
  readonly workOut: (task: StepTask<Kind>, read: ReadFigures) => Promise<readonly (readonly Cell[])[] | null>;
}
