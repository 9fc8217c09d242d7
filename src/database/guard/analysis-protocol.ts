/** What the threads that analyse long statements are told, and what they say. */

import type { OwnCode } from '../../sql/guard/index.ts';
import type { DialectName } from '../../sql/index.ts';
import type { VisibleTable } from './access-policy.ts';
import type { CallerQueries, GuardOptions, OwnQueries } from './create-gate.ts';

export interface LongStatement {
  readonly sql: string;
  readonly options: GuardOptions;
  readonly dialect: DialectName;
  /** What the database has defined itself, and nobody has allowed. */
  readonly own: OwnCode;
  readonly signal?: AbortSignal | undefined;
}

/** Whose queries come, without the catalog, which many of them share. */
export type GateOptions = OwnQueries | Omit<CallerQueries, 'catalog'>;

export type ToAnalyst =
  /** A catalog comes in parts, so that no part keeps the sender for long. */
  | {
      readonly kind: 'catalog';
      readonly catalog: number;
      readonly tables: readonly VisibleTable[];
      /** What a catalog says beside its tables, with the first part. */
      readonly rest?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'gate';
      readonly gate: string;
      readonly catalog: number | undefined;
      readonly options: GateOptions;
      readonly dialect: DialectName;
    }
  | { readonly kind: 'forget'; readonly gate?: string; readonly catalog?: number }
  | { readonly kind: 'analyse'; readonly gate: string; readonly sql: string; readonly own: OwnCode };

export type FromAnalyst =
  | { readonly kind: 'ready' }
  | { readonly kind: 'analysed'; readonly text: string; readonly isRestricted: boolean }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly data: Readonly<Record<string, unknown>>;
    };
