/** Ways of linking as measuring sees them. They are given no gold. */
import type { LinkCase, LinkDatabase } from '../sets/link-set.ts';

export type AskedCase = Pick<LinkCase, 'id' | 'database' | 'question' | 'hint'>;

export interface LinkedIds {
  /** Canonical ids. */
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Prompt and reply tokens of all model calls. */
  readonly tokens: number;
}

export interface CaseLinker {
  /** As records name it: what was measured. */
  readonly mode: string;
  /** Makes ready one database (indexes, models); its time is not counted. */
  open(database: LinkDatabase, signal?: AbortSignal): Promise<OpenLinker>;
}

export interface OpenLinker {
  link(asked: AskedCase, signal?: AbortSignal): Promise<LinkedIds>;
  close(): Promise<void>;
}
