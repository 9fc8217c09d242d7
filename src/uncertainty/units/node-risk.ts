/** What is said about a query: a probability of being wrong for every node, for what people see of it, and for the whole. */
import type { Span } from '../../sql/dialects/span.ts';

export interface NodeRisk {
  /** Its id in the tree. */
  readonly node: number;
  readonly type: string;
  /** Calibrated probability that the node is wrong, in [0, 1]. */
  readonly probability: number;
  /** Strongest first; for nodes whose reasons were asked for. */
  readonly reasons: readonly RiskReason[];
}

export interface RiskReason {
  readonly feature: string;
  /** A clause for people: `no table or column has this name`. */
  readonly text: string;
  /** Log-odds it adds to the risk; below 0 it speaks for the node. */
  readonly weight: number;
}

/** The smallest part of a query that a person can point at and change. */
export type UnitKind =
  | 'column'
  | 'table'
  | 'literal'
  | 'condition'
  | 'join'
  | 'function'
  | 'order'
  | 'limit'
  | 'group'
  | 'clause';

export interface UnitRisk {
  readonly kind: UnitKind;
  /** Where it stands in the text. */
  readonly span: Span;
  readonly text: string;
  /** The largest among its nodes. */
  readonly probability: number;
  /** Ids of the nodes it stands for. */
  readonly nodes: readonly number[];
  readonly reasons: readonly RiskReason[];
}

export interface Assessment {
  readonly sql: string;
  readonly nodes: readonly NodeRisk[];
  /** Likeliest wrong first. */
  readonly units: readonly UnitRisk[];
  /** The likeliest wrong part where none is worth a mark: for whoever withholds the whole and has to say where to look. */
  readonly weakest?: UnitRisk;
  /** Calibrated probability that the query does not answer its question, in [0, 1]; 1 when it does not parse. */
  readonly queryRisk: number;
  /** Why no node has a probability: `does not parse`, `too large`. */
  readonly unreadBecause?: string;
}
