import { type ChosenMembers, chooseMembers } from './choose-members.ts';
import type { TableFamily } from './table-families.ts';
import { timeMentions } from './time-mentions.ts';

/** The tables of a family in the order in which a question is about them: its days, numbers and words, else the newest. */
export function membersOfQuestion({ members }: TableFamily, question: string): ChosenMembers {
  return chooseMembers(members, {
    periods: timeMentions(question),
    marks: new Set(question.toLowerCase().match(/\p{N}+|\p{L}+/gu) ?? []),
    strengthOf: () => 0,
  });
}
