/** The draft to answer with: the drafts vote by their results, with what is known of each. */

import { readQuery } from '../../faults/reading/index.ts';
import { type Selection, type SelectionCandidate, selectCandidate } from '../../generation/index.ts';
import type { Session } from '../../session/index.ts';
import { assessQueryRisk, type RiskRequest } from '../assess/assess-risk.ts';
import type { Draft } from './generate-candidates.ts';

export interface SelectedDraft {
  readonly draft: Draft;
  /** What happened to it and why it was chosen, in sentences. */
  readonly story: readonly string[];
}

export interface ChoiceTerms extends RiskRequest {
  readonly session: Pick<Session, 'catalog' | 'scoring' | 'semantics'>;
  /** Share of the tests that each draft passed, by its index; empty: there were none. */
  readonly testsPassed?: ReadonlyMap<number, number>;
}

/** Undefined where no draft is sound. */
export async function selectDraft(
  drafts: readonly Draft[],
  terms: ChoiceTerms,
): Promise<SelectedDraft | undefined> {
  const candidates = await Promise.all(drafts.map((draft) => candidateOf(draft, drafts.length, terms)));
  const selection = selectCandidate(candidates);
  const draft = selection.chosen === undefined ? undefined : drafts[selection.chosen];
  return draft && { draft, story: [...draft.story, ...reasonsOf(selection, drafts.length)] };
}

/** One draft is no choice. */
function reasonsOf({ reasons }: Selection, count: number): readonly string[] {
  return count > 1 ? reasons : [];
}

async function candidateOf(
  { index, sql, verdict, result, error }: Draft,
  count: number,
  { session, testsPassed, ...asked }: ChoiceTerms,
): Promise<SelectionCandidate> {
  const { catalog } = session;
  const read = readQuery(sql, catalog.dialect, catalog);
  const risk = count > 1 && verdict.ok ? await assessQueryRisk(sql, session, asked) : undefined;
  const passed = testsPassed?.get(index);
  return {
    index,
    ...(read.ok && { tree: read.query.tree }),
    problems: verdict.ok ? [] : verdict.problems,
    outcome:
      error !== undefined
        ? { kind: 'failed', message: error }
        : result === undefined
          ? { kind: 'not-run' }
          : { kind: 'rows', result },
    doubts: verdict.doubts,
    literalsExist: verdict.doubts.length === 0,
    ...(passed !== undefined && { testsPassed: passed }),
    ...(risk !== undefined && { risk }),
  };
}
