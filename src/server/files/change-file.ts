import { rm } from 'node:fs/promises';
import { CandorError, toCandorError } from '../../errors.ts';
import type { SemanticModel } from '../../knowledge/index.ts';
import { writeWhole } from '../../store/index.ts';
import type { SessionDesk } from '../session-desk.ts';
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
  readonly mayChange: (before: SemanticModel, after: SemanticModel) => void;
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

/** One after the other for each project: a change is checked against what the change before has made. */
const lastOf = new WeakMap<SessionDesk, Promise<unknown>>();

/**
 * Writes or deletes a file, whole or not at all, and opens the project anew with it; where that fails the file is put back and
 * the project stays as it was. Throws `server.changed` where the file is not as it was when it was read, `server.not-found`, and
 * what opening throws.
 */
export function changeFile(desk: SessionDesk, change: FileChange): Promise<ChangedFile> {
  const before = lastOf.get(desk) ?? Promise.resolve();
  const changed = before.then(() => changeNow(desk, change));
  lastOf.set(
    desk,
    changed.catch(() => undefined),
  );
  return changed;
}

async function changeNow(
  desk: SessionDesk,
  { place, text, expected, mayChange, signal }: FileChange,
): Promise<ChangedFile> {
  signal.throwIfAborted();
  const session = desk.current;
  const release = desk.hold(session);
  try {
    const kept = await readProjectFile(place, session.config);
    refuseChanged(place, kept?.etag, expected, text === undefined);
    const { problems, semantics } = await checkText(place, text, session, signal);
    if (problems.some(({ severity }) => severity === 'error')) return { kind: 'refused', problems };
    if (semantics !== undefined) mayChange(session.semantics, semantics);
    if (text !== kept?.text) {
      const path = pathOf(place, session.config);
      await put(path, text);
      if (folderOf(place.folder).isOfAnswers)
        await desk.reload().catch(async (error: unknown) => {
          await put(path, kept?.text);
          throw asItWas(error, place);
        });
    }
    return {
      kind: 'saved',
      ...(text !== undefined && { etag: etagOf(text) }),
      isNew: kept === undefined,
      warnings: problems,
    };
  } finally {
    release();
  }
}

function put(path: string, text: string | undefined): Promise<void> {
  return text === undefined ? rm(path, { force: true }) : writeWhole(path, text);
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

function asItWas(error: unknown, place: FilePlace): CandorError {
  const { code, message, data } = toCandorError(error);
  const said = `The project could not be opened with this ${shownPlace(place)}, so all is as it was. ${message}`;
  return new CandorError(code, said, { data: { ...data }, cause: error });
}
