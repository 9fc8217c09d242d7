import { fixQuery } from '../../answering/index.ts';
import { readExample } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';
import type { FileProblem } from './file-problem.ts';

/** A verified pair: its front matter, and everything that is wrong with its query. Throws `examples.invalid`. */
export async function checkExample(
  name: string,
  text: string,
  session: Session,
  signal: AbortSignal,
): Promise<readonly FileProblem[]> {
  const lined = text.replace(/\r\n/g, '\n');
  const { sql } = readExample(lined, name, `examples/${name}`);
  const start = lined.lastIndexOf(sql);
  const { problems } = await fixQuery(sql, session, { signal });
  return problems.map(({ severity, span, text: message, instead }) => ({
    severity,
    ...placeAt(lined, start + (span?.start ?? 0)),
    message,
    next: instead.length === 0 ? 'Correct the query.' : `There is: ${instead.join(', ')}.`,
  }));
}

function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
