import { changed, type Draft, type Revision, type RevisionView } from './kinds/draft.ts';
import { FILTER_REVISIONS } from './kinds/filters.ts';
import { PROJECTION_REVISIONS } from './kinds/projections.ts';
import { RANKING_REVISIONS } from './kinds/ranking.ts';
import { TABLE_REVISIONS } from './kinds/tables.ts';

export const REVISIONS: readonly Revision[] = [
  ...PROJECTION_REVISIONS,
  ...FILTER_REVISIONS,
  ...RANKING_REVISIONS,
  ...TABLE_REVISIONS,
];

/** Every draft that is one change away, in the order of the revisions. */
export function revise(draft: Draft, view: RevisionView): Draft[] {
  return REVISIONS.flatMap(({ name, revise: changesOf }) =>
    changesOf(draft, view).map((change) => changed(draft, change, name)),
  );
}
