import type { Draft } from './draft-query.ts';

export interface DraftChoice {
  readonly draft: Draft;
  /** What happened to it and why it was chosen, in sentences. */
  readonly story: readonly string[];
}

/** The draft to answer with; undefined where none is sound. */
export function chooseDraft(drafts: readonly Draft[]): DraftChoice | undefined {
  const sound = drafts.filter(({ verdict, error }) => verdict.ok && error === undefined);
  const [draft] = sound;
  return draft && { draft, story: draft.story };
}
