import { fixQuery } from '../../answering/index.ts';
import { checkAuthoredText } from '../../knowledge/authored/folder/index.ts';
import { catalogNames, readExample } from '../../knowledge/authored/index.ts';
import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { checkNamedItems, parseTestFile } from '../../lab/testing/index.ts';
import type { Session } from '../../session/index.ts';
import { checkSemantics } from './check-semantics.ts';
import { type FilePlace, shownPlace } from './file-folders.ts';
import { type FileProblem, problemAt, problemsOfError } from './file-problem.ts';

export interface CheckedText {
  /** In the order of the text. */
  readonly problems: readonly FileProblem[];
  /** The semantic model as it would be with it; absent where the file is none of it, or cannot be read. */
  readonly semantics?: SemanticModel;
}

/** What would be wrong if the text were saved there; `undefined`: if the file were deleted. Writes nothing. */
export async function checkText(
  place: FilePlace,
  text: string | undefined,
  session: Session,
  signal: AbortSignal,
): Promise<CheckedText> {
  const broken = text === undefined ? undefined : brokenCharacter(text);
  if (broken !== undefined) return { problems: [broken] };
  try {
    const { problems, ...more } = await checkByKind(place, text, session, signal);
    return {
      problems: problems.toSorted((one, other) => one.line - other.line || one.column - other.column),
      ...more,
    };
  } catch (error) {
    return { problems: problemsOfError(error, shownPlace(place)) };
  }
}

async function checkByKind(
  place: FilePlace,
  text: string | undefined,
  session: Session,
  signal: AbortSignal,
): Promise<CheckedText> {
  const { folder, name } = place;
  if (folder === 'semantics') {
    const { problems, after } = await checkSemantics(name, text, session);
    return { problems, semantics: after };
  }
  if (text === undefined) return { problems: [] };
  const shown = shownPlace(place);
  switch (folder) {
    case 'knowledge':
      checkAuthoredText(name, text, shown, catalogNames(session.catalog));
      return { problems: [] };
    case 'examples':
      return { problems: await checkExample(name, text, session, signal) };
    case 'tests':
      checkNamedItems(parseTestFile(text, { file: shown, path: shown }).cases, session.catalog);
      return { problems: [] };
  }
}

/** What a file of text cannot hold: it would come back as something else. */
function brokenCharacter(text: string): FileProblem | undefined {
  const at = text.search(/[\0\p{Surrogate}]/u);
  if (at < 0) return undefined;
  const before = text.slice(0, at).split('\n');
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return problemAt(
    { ...place, message: 'a character that is none' },
    'Delete it, or save the file as UTF-8.',
  );
}

/** A verified pair: its front matter, and everything that is wrong with its query. Throws `examples.invalid`. */
async function checkExample(
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
