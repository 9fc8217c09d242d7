import type { Session } from '../session/index.ts';
import type { AskOptions } from './answer/answer-context.ts';

export interface TableScope {
  readonly session: Session;
  /** The only tables that the question is asked of; absent: all that the session has. */
  readonly tables?: readonly string[];
}

/**
 * The session that a question is asked of: the whole one, the chosen tables of it or, of a lake, those that the question
 * may need. Throws `catalog.unknown-name`, and what opening a part of a lake throws.
 */
export async function resolveTableScope(
  question: string,
  whole: Session,
  { tables, after = [], hint }: Pick<AskOptions, 'tables' | 'after' | 'hint'>,
): Promise<TableScope> {
  const { lake } = whole;
  if (lake === undefined)
    return tables === undefined ? { session: whole } : { session: whole.restrictTo(tables), tables };
  const text = [...after, question, hint ?? ''].join('\n');
  const reached = tables ?? (await lake.tablesFor(text));
  // The tables that the session begins with: they say best why nothing fits.
  if (reached.length === 0) return { session: whole };
  return { session: await lake.within(reached), tables: reached };
}
