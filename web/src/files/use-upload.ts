import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, FileProblem } from '../api/contract.ts';
import { goTo } from '../shell/use-route.ts';
import { type FilePlace, isConflict, putText, readKept } from './file-api.ts';

export type UploadOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'working' }
  | { readonly kind: 'refused'; readonly place: FilePlace; readonly problems: readonly FileProblem[] }
  /** There is a file of that name already. */
  | { readonly kind: 'there'; readonly place: FilePlace; readonly text: string }
  | { readonly kind: 'no-text'; readonly place: FilePlace }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface Upload {
  readonly outcome: UploadOutcome;
  readonly upload: (place: FilePlace, file: File) => void;
  /** In place of the one that is there. */
  readonly replace: (place: FilePlace, text: string) => void;
}

/** Saves a file of the disk as it is and opens it; a broken one is not saved. */
export function useUpload(): Upload {
  const [outcome, setOutcome] = useState<UploadOutcome>({ kind: 'none' });
  const put = async (place: FilePlace, text: string, etag: string | undefined): Promise<void> => {
    setOutcome({ kind: 'working' });
    try {
      const changed = await putText(place, text, etag);
      if (changed.kind === 'saved') goTo(['knowledge', place.folder, place.name]);
      else setOutcome({ kind: 'refused', place, problems: changed.problems });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setOutcome(
        isConflict(error) ? { kind: 'there', place, text } : { kind: 'failed', failure: error.failure },
      );
    }
  };
  const replace = async (place: FilePlace, text: string): Promise<void> => {
    try {
      const { etag } = await readKept(place);
      await put(place, text, etag);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setOutcome({ kind: 'failed', failure: error.failure });
    }
  };
  const upload = async (place: FilePlace, file: File): Promise<void> => {
    const text = textOf(await file.arrayBuffer());
    if (text === undefined) setOutcome({ kind: 'no-text', place });
    else await put(place, text, undefined);
  };
  return {
    outcome,
    upload: (place, file) => void upload(place, file),
    replace: (place, text) => void replace(place, text),
  };
}

/** Undefined for what is not UTF-8: letters would be lost. */
function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
