/** What the server says, by its own contracts. Types alone: none of its code comes along. */
import type { z } from 'zod';
import type { ANSWER } from '../../../src/server/contract/answer-contract.ts';
import type { AREA, AREA_LIST } from '../../../src/server/contract/area-contract.ts';
import type { CARD, MESSAGE, ROUTE, TURN } from '../../../src/server/contract/card-contract.ts';
import type { TABLE, TABLE_LIST } from '../../../src/server/contract/catalog-contract.ts';
import type { FAILURE } from '../../../src/server/contract/failure-contract.ts';
import type { GRAPH } from '../../../src/server/contract/graph-contract.ts';
import type { FOUND_VALUES } from '../../../src/server/contract/search-contract.ts';

export type Answer = z.infer<typeof ANSWER>;
export type Answered = Extract<Answer, { kind: 'answered' }>;
export type Clarify = Extract<Answer, { kind: 'clarify' }>;
export type FollowUp = Extract<Answer, { kind: 'follow_up' }>;
export type Reject = Extract<Answer, { kind: 'reject' }>;
export type Abstain = Extract<Answer, { kind: 'abstain' }>;
export type Assumption = Answered['assumptions'][number];
export type Evidence = Answered['evidence'][number];
export type RiskyPart = NonNullable<Answered['risk']>['units'][number];
export type Cell = Answered['rows'][number][number];
export type Rows = Answered['rows'];

export type Card = z.infer<typeof CARD>;
export type TableCard = Extract<Card, { kind: 'tables' }>['tables'][number];
export type Fix = Extract<Card, { kind: 'fix' }>['fix'];
export type Route = z.infer<typeof ROUTE>;
export type Message = z.infer<typeof MESSAGE>;
export type Turn = z.input<typeof TURN>;
export type Failure = z.infer<typeof FAILURE>['error'];

export type TableList = z.infer<typeof TABLE_LIST>;
export type ListedTable = TableList['tables'][number];
export type TablePage = z.infer<typeof TABLE>;
export type ListedColumn = TablePage['columns'][number];
export type Profile = NonNullable<ListedColumn['profile']>;
export type Graph = z.infer<typeof GRAPH>;
export type GraphNode = Graph['nodes'][number];
export type FoundValues = z.infer<typeof FOUND_VALUES>;
export type AreaList = z.infer<typeof AREA_LIST>;
export type Area = z.infer<typeof AREA>;
export type Cluster = AreaList['clusters'][number];

export interface Chat {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface KeptChat extends Chat {
  readonly messages: readonly Message[];
}

/** What direct SQL comes to. */
export type SqlOutcome =
  | {
      readonly kind: 'answered';
      readonly sql: string;
      readonly columns: readonly string[];
      readonly rows: Rows;
      readonly truncatedBy: 'rows' | 'bytes' | null;
    }
  | { readonly kind: 'planned'; readonly sql: string }
  | {
      readonly kind: 'reject';
      readonly sql: string;
      readonly message: string;
      readonly nearest: readonly string[];
    };
