import { type ChosenMembers, chooseMembers, isNamed, type MemberWishes } from './choose-members.ts';
import type { TableFamily } from './table-families.ts';
import { timeMentions } from './time-mentions.ts';

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
