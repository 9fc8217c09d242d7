/** The reasons of a selection, as sentences for people. */
import { unreachable } from '../../errors.ts';
import type { SelectionCandidate, SelectionGroup, SelectionStep } from './selection-candidate.ts';

/** A candidate that did not vote, by its place in the list that was given. */
export interface LeftOut {
  readonly at: number;
  readonly reason: string;
}

export interface SelectionFacts {
  readonly candidates: readonly SelectionCandidate[];
  readonly leftOut: readonly LeftOut[];
  readonly groups: readonly SelectionGroup[];
  readonly areAllEmpty: boolean;
  readonly chosen?: number | undefined;
  readonly decidedBy?: SelectionStep | undefined;
}

/** Candidates are called by their index, counted from 1. */
export function renderSelection(facts: SelectionFacts): readonly string[] {
  const { candidates, leftOut, groups, areAllEmpty, chosen } = facts;
  const name = (at: number): string => `candidate ${(candidates[at]?.index ?? at) + 1}`;
  const out = leftOut
    .toSorted((one, other) => indexOf(candidates, one.at) - indexOf(candidates, other.at))
    .map(({ at, reason }) => `${capital(name(at))} was left out: ${bare(reason)}.`);
  const [first] = groups;
  if (chosen === undefined || first === undefined) return [...out, 'No candidate is sound.'];
  return [
    ...out,
    agreement(facts, first),
    ...decision(facts, groups),
    ...(areAllEmpty ? [emptiness(candidates[chosen])] : []),
    `${capital(name(chosen))} was chosen.`,
  ];
}

function agreement({ candidates, leftOut }: SelectionFacts, { members, rows }: SelectionGroup): string {
  const sound = candidates.length - leftOut.length;
  if (sound === 1) return 'One candidate is sound.';
  if (members.length === 1) return `Of ${sound} sound candidates none agrees with the strongest.`;
  const ofAll = members.length === sound ? `All ${sound}` : `${members.length} of ${sound}`;
  if (rows === undefined) return `${ofAll} sound candidates say the same.`;
  return `${ofAll} sound candidates give the same ${rows === 1 ? 'row' : `${rows} rows`}.`;
}

function decision({ candidates, decidedBy }: SelectionFacts, groups: readonly SelectionGroup[]): string[] {
  const [best, next] = groups.map(({ members: [at] }) => candidates[at ?? -1]);
  if (decidedBy === undefined || best === undefined || next === undefined) return [];
  switch (decidedBy) {
    case 'agreement':
      return [`The vote gives them ${percent(groups[0]?.share)}, the next ${percent(groups[1]?.share)}.`];
    case 'literals':
      return ['The vote is even; the database holds the values that this one asks for.'];
    case 'tests':
      return [
        `The vote is even; it passes ${percent(best.testsPassed)} of the tests, the next ${percent(next.testsPassed)}.`,
      ];
    case 'risk':
      return [`The vote is even; its risk is ${percent(best.risk)}, that of the next ${percent(next.risk)}.`];
    case 'simplicity':
      return ['The vote is even; it is the simpler query.'];
    case 'index':
      return ['The vote is even and nothing else tells them apart; it came first.'];
    case 'alone':
      return [];
    default:
      return unreachable(decidedBy);
  }
}

function emptiness(candidate: SelectionCandidate | undefined): string {
  const said = 'No candidate finds any rows, which does not prove it wrong.';
  if (candidate?.literalsExist === undefined) return said;
  const hold = candidate.literalsExist ? 'holds' : 'does not hold all';
  return `${said} The database ${hold} the values that it asks for.`;
}

function percent(share: number | undefined): string {
  return share === undefined ? 'unknown' : `${Math.round(share * 100)} %`;
}

function indexOf(candidates: readonly SelectionCandidate[], at: number): number {
  return candidates[at]?.index ?? at;
}

function bare(reason: string): string {
  return reason.replace(/[.\s]+$/, '');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
