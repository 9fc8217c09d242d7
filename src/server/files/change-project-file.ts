import { rm } from 'node:fs/promises';
import { CandorError } from '../../errors.ts';
import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { writeWhole } from '../../store/index.ts';
import type { ProjectSessions } from '../sessions/project-sessions.ts';
import { checkText } from './check-text.ts';
import { type FilePlace, folderOf, pathOf, shownPlace } from './file-folders.ts';
import type { FileProblem } from './file-problem.ts';
import { etagOf, noSuchFile, readProjectFile } from './read-project-files.ts';

export interface FileChange {
  readonly place: FilePlace;
  /** Absent: the file is deleted. */
  readonly text?: string;
  /** The etag of the text that is changed; absent: the file is a new one. */
  readonly expected?: string;
  /** Throws where the person may not make of the first semantic model the second. */
  readonly mayChange: (before: SemanticModel, after: SemanticModel) => Promise<void>;
  readonly signal: AbortSignal;
}

export type ChangedFile =
  | { readonly kind: 'refused'; readonly problems: readonly FileProblem[] }
  | {
      readonly kind: 'saved';
      /** Absent: it is deleted. */
      readonly etag?: string;
      readonly isNew: boolean;
      readonly warnings: readonly FileProblem[];
    };

/**
 * Writes or deletes a file, whole or not at all, and has the project opened anew with it. Throws `server.changed` where the file is
 * not as it was when it was read, `server.not-found`, and what opening throws: then all is as it was.
 */
export function changeProjectFile(
  projectSessions: ProjectSessions,
  { place, text, expected, mayChange, signal }: FileChange,
): Promise<ChangedFile> {
  return projectSessions.change<ChangedFile>(async (session) => {
    signal.throwIfAborted();
    const kept = await readProjectFile(place, session.config);
    refuseChanged(place, kept?.etag, expected, text === undefined);
    const { problems, semantics } = await checkText(place, text, session, signal);
    if (problems.some(({ severity }) => severity === 'error'))
      return { result: { kind: 'refused', problems } };
    if (semantics !== undefined) await mayChange(session.semantics, semantics);
    const path = pathOf(place, session.config);
    if (text === undefined) await rm(path, { force: true });
    else if (text !== kept?.text) await writeWhole(path, text);
    return {
      result: {
        kind: 'saved',
        ...(text !== undefined && { etag: etagOf(text) }),
        isNew: kept === undefined,
        warnings: problems,
      },
      written: { path, before: kept?.text, isOfAnswers: folderOf(place.folder).isOfAnswers },
    };
  });
}

function refuseChanged(
  place: FilePlace,
  etag: string | undefined,
  expected: string | undefined,
  isDeletion: boolean,
): void {
  if (isDeletion && etag === undefined) throw noSuchFile(place);
  if (etag === expected) return;
  const shown = shownPlace(place);
  const what =
    expected === undefined
      ? `${shown} is there already.`
      : etag === undefined
        ? `${shown} was deleted meanwhile.`
        : `${shown} was changed meanwhile.`;
  throw new CandorError('server.changed', what);
}
