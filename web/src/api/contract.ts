/** What the server says, by its own contracts. Types alone: none of its code comes along. */
import type { z } from 'zod';
import type { ANSWER } from '../../../src/server/contract/answer-contract.ts';
import type { CARD, MESSAGE, ROUTE, TURN } from '../../../src/server/contract/card-contract.ts';
import type { FAILURE } from '../../../src/server/contract/failure-contract.ts';

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
