/** Which tables of a family a question is about: the days, numbers and words it names, else the newest. */

import { type Period, timeMentions } from '../words/time-mentions.ts';
import type { FamilyMember, TableFamily } from './table-families.ts';

interface MemberWishes {
  readonly periods: readonly Period[];
  /** Numbers and lower-case words of the question. */
  readonly marks: ReadonlySet<string>;
  /** How well the other tables of a database fit; copies of a table stand in several. */
  readonly strengthOf: (database: string) => number;
}

export interface ChosenMembers {
  /** Best first. */
  readonly members: readonly FamilyMember[];
  /** The first so many are of a day, number or word that the question names. */
  readonly namedCount: number;
}

/** Orders the members that are in scope: named periods, named numbers and words, the likelier database, newest first. */
export function chooseMembers(members: TableFamily['members'], wishes: MemberWishes): ChosenMembers {
  const rated = members.map((member) => ({
    member,
    isInTime: isInTime(member, wishes.periods),
    marks: member.marks.filter((mark) => wishes.marks.has(mark)).length,
    strength: wishes.strengthOf(databaseOf(member)),
  }));
  rated.sort(
    (a, b) =>
      Number(b.isInTime) - Number(a.isInTime) ||
      b.marks - a.marks ||
      b.strength - a.strength ||
      newest(a.member, b.member) ||
      (a.member.table.id < b.member.table.id ? -1 : 1),
  );
  const namedCount = rated.filter(({ isInTime, marks }) => isInTime || marks > 0).length;
  return { members: rated.map(({ member }) => member), namedCount: members.length > 1 ? namedCount : 0 };
}

/** Whether the member is of a period, number or word of the question. */
function isNamed(member: FamilyMember, { periods, marks }: Pick<MemberWishes, 'periods' | 'marks'>): boolean {
  return isInTime(member, periods) || member.marks.some((mark) => marks.has(mark));
}

export function databaseOf({ table: { catalog = '', schema = '' } }: FamilyMember): string {
  return catalog === '' ? schema : catalog;
}

function isInTime({ period }: FamilyMember, periods: readonly Period[]): boolean {
  return period !== undefined && periods.some(({ from, to }) => period.from <= to && from <= period.to);
}

function newest(a: FamilyMember, b: FamilyMember): number {
  const length = Math.max(a.marks.length, b.marks.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (Number(b.marks[at]) || 0) - (Number(a.marks[at]) || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The tables of a family in the order in which a question is about them: its days, numbers and words, else the newest. */
export function membersOfQuestion({ members }: TableFamily, question: string): ChosenMembers {
  return chooseMembers(members, { ...wishesOf(question), strengthOf: () => 0 });
}

/** The families of which the question names a member by its day, number or word; the question is read once. */
export function namedInQuestion(
  families: readonly TableFamily[],
  question: string,
): ReadonlySet<TableFamily> {
  const wishes = wishesOf(question);
  return new Set(families.filter(({ members }) => members.some((member) => isNamed(member, wishes))));
}

function wishesOf(question: string): Omit<MemberWishes, 'strengthOf'> {
  return {
    periods: timeMentions(question),
    marks: new Set(question.toLowerCase().match(/\p{N}+|\p{L}+/gu) ?? []),
  };
}
