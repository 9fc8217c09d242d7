import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { ChangedFile, Failure, FileProblem } from '../api/contract.ts';
import { goTo } from '../shell/use-route.ts';
import { drafts } from './drafts.ts';
import { deleteFile, type FilePlace, isConflict, type KeptText, putText, readKept } from './file-api.ts';
import { usePerson } from './use-person.ts';

/** What the last save or deletion came to. */
export type FileOutcome =
  | { readonly kind: 'none' | 'saved' }
  | { readonly kind: 'not-saved' | 'not-deleted'; readonly problems: readonly FileProblem[] }
  /** Somebody else was faster: what stands there now. */
  | { readonly kind: 'conflict'; readonly newer: KeptText }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface FileDraft {
  readonly text: string;
  /** What it is changed from. */
  readonly base: KeptText;
  /** Counts the texts that were put in place of what was typed. */
  readonly round: number;
  readonly isDirty: boolean;
  readonly isWorking: boolean;
  readonly outcome: FileOutcome;
  readonly type: (text: string) => void;
  readonly save: () => void;
  readonly remove: () => void;
  readonly discard: () => void;
  readonly takeNewer: () => void;
  readonly keepOwn: () => void;
}

/** A text in work: what was typed stays until it is saved or discarded, also when another page is opened meanwhile. */
export function useFileDraft(place: FilePlace, kept: KeptText): FileDraft {
  const person = usePerson();
  const [{ first, ...start }] = useState(() => startOf(drafts.read(person, place), kept));
  const [{ base, text, round }, setState] = useState(start);
  const { outcome, setOutcome, isWorking, work } = useWork(place, first);
  const isDirty = text !== base.text;
  useEffect(() => {
    if (isDirty) drafts.keep(person, { place, text, base });
    else drafts.drop(person, place);
  }, [person, place, text, base, isDirty]);

  const put = (next: KeptText): void => {
    setState({ base: next, text: next.text, round: round + 1 });
    setOutcome({ kind: 'none' });
  };
  const leave = (): void => {
    drafts.drop(person, place);
    goTo(['knowledge']);
  };
  const saveOver = (from: KeptText): Promise<void> =>
    work('not-saved', async () => {
      const changed = await putText(place, text, from.etag);
      if (changed.kind === 'saved') setState((now) => ({ ...now, base: { text, etag: changed.etag } }));
      return changed;
    });
  return {
    ...{ text, base, round, isDirty, isWorking, outcome },
    type: (typed) => {
      setState((now) => ({ ...now, text: typed }));
      if (outcome.kind !== 'conflict') setOutcome({ kind: 'none' });
    },
    save: () => void saveOver(base),
    remove: () =>
      void work('not-deleted', async () => {
        const changed = await deleteFile(place, base.etag ?? '');
        if (changed.kind === 'saved') leave();
        return changed;
      }),
    discard: () => put(base),
    takeNewer: () => {
      if (outcome.kind !== 'conflict') return;
      if (outcome.newer.etag === undefined) leave();
      else put(outcome.newer);
    },
    keepOwn: () => {
      if (outcome.kind !== 'conflict') return;
      setState((now) => ({ ...now, base: outcome.newer }));
      void saveOver(outcome.newer);
    },
  };
}

/** A draft of a text that is no longer there meets the newer one at once. */
function startOf(draft: { readonly text: string; readonly base: KeptText } | undefined, kept: KeptText) {
  const none: FileOutcome = { kind: 'none' };
  if (draft === undefined || draft.text === kept.text)
    return { base: kept, text: kept.text, round: 0, first: none };
  const first: FileOutcome = draft.base.etag === kept.etag ? none : { kind: 'conflict', newer: kept };
  return { base: draft.base, text: draft.text, round: 0, first };
}

/** One change after the other, and what each came to. */
function useWork(place: FilePlace, first: FileOutcome) {
  const [outcome, setOutcome] = useState(first);
  const [isWorking, setWorking] = useState(false);
  const work = async (
    refused: 'not-saved' | 'not-deleted',
    change: () => Promise<ChangedFile>,
  ): Promise<void> => {
    setWorking(true);
    try {
      const changed = await change();
      setOutcome(
        changed.kind === 'saved' ? { kind: 'saved' } : { kind: refused, problems: changed.problems },
      );
    } catch (error) {
      setOutcome(await outcomeOf(error, place));
    } finally {
      setWorking(false);
    }
  };
  return { outcome, setOutcome, isWorking, work };
}

async function outcomeOf(error: unknown, place: FilePlace): Promise<FileOutcome> {
  try {
    if (!isConflict(error)) throw error;
    return { kind: 'conflict', newer: await readKept(place) };
  } catch (met) {
    if (!(met instanceof ApiError)) throw met;
    return { kind: 'failed', failure: met.failure };
  }
}
