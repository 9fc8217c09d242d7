import type { FilePlace, KeptText } from './file-api.ts';

export interface Draft {
  readonly place: FilePlace;
  readonly text: string;
  /** What it was changed from. */
  readonly base: KeptText;
}

interface OwnDraft extends Draft {
  readonly person: string;
}

const kept = new Map<string, OwnDraft>();

/** Unsaved texts, each of the person who typed it. They outlive a change of pages; the browser asks before they are closed. */
export const drafts = {
  read: (person: string, place: FilePlace): Draft | undefined => kept.get(keyOf(person, place)),
  of: (person: string): readonly Draft[] => [...kept.values()].filter((each) => each.person === person),
  keep: (person: string, draft: Draft): void => {
    kept.set(keyOf(person, draft.place), { ...draft, person });
    window.addEventListener('beforeunload', askFirst);
  },
  drop: (person: string, place: FilePlace): void => {
    kept.delete(keyOf(person, place));
    if (kept.size === 0) window.removeEventListener('beforeunload', askFirst);
  },
};

function keyOf(person: string, { folder, name }: FilePlace): string {
  return `${folder}/${name}/${person}`;
}

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
