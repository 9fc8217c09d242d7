import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { findMentions } from '../question/mention/find-mentions.ts';
import { findTimes } from '../question/read/find-times.ts';
import { tokenise } from '../question/read/tokenise.ts';
import type { FilterSlot, Frame } from './frame/frame.ts';
import { parseFrame } from './parse-frame.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-05-15T12:00:00Z');

function frameOf(question: string): Frame {
  const times = findTimes(question, NOW, KNOWLEDGE.semantics.timeRules);
  return parseFrame(findMentions(question, tokenise(question), times, KNOWLEDGE));
}

function filterText({ noun, operator, operands, isNegated, connective }: FilterSlot): string {
  const values = operands.map((operand) => operand.mention.text).join(',');
  const joint = connective === 'and' ? '' : `${connective} `;
  return `${joint}${isNegated ? 'not ' : ''}${noun?.text ?? '*'} ${operator} ${values}`.trim();
}

/** The frame as short lines, one per slot. */
function outline(question: string): string[] {
  const frame = frameOf(question);
  return [
    ...frame.projections.map(
      (item) => `show ${item.aggregate ?? ''}${item.isDistinct ? ' distinct' : ''} ${item.noun?.text ?? '*'}`,
    ),
    ...frame.filters.map((slot) => `where ${filterText(slot)}`),
    ...frame.groups.map((noun) => `per ${noun.text}`),
    ...frame.havings.map(
      (item) => `having ${item.aggregate} ${item.noun?.text ?? '*'} ${item.operator} ${item.number}`,
    ),
    ...frame.orders.map(
      (item) =>
        `order ${item.isCount ? 'count ' : ''}${item.aggregate ?? ''} ${item.noun?.text ?? '*'} ${item.direction}`,
    ),
    ...frame.absences.map((item) =>
      ['without', item.noun?.text ?? 'anything', ...item.filters.map(filterText)].join(' '),
    ),
    ...(frame.limit === undefined ? [] : [`limit ${frame.limit}`]),
    ...(frame.isDistinct ? ['distinct'] : []),
  ].map((line) => line.replace(/\s+/g, ' '));
}

describe('parseFrame', () => {
  const cases: readonly (readonly [question: string, slots: readonly string[]])[] = [
    ['', []],
    ['How many singers are there?', ['show count singers']],
    ['Show the salary of singers older than 30.', ['show salary of singers', 'where * > 30']],
    [
      'Show the capacity, city and country of stadiums.',
      ['show capacity', 'show city', 'show country of stadiums'],
    ],
    ['What is the average salary by country?', ['show avg salary', 'per country']],
    ['Show stadiums with more than 3 concerts.', ['show stadiums', 'having count concerts > 3']],
    ['Show stadiums without any concert.', ['show stadiums', 'without concert']],
    ['Show singers who are not from France.', ['show singers', 'where not * = France']],
    ['How many singers are not older than 30?', ['show count singers', 'where * <= 30']],
    [
      'Show stadiums with a capacity between 5000 and 9000.',
      ['show stadiums', 'where capacity between 5000,9000'],
    ],
    ['Show singers from France or Sweden.', ['show singers', 'where * = France,Sweden']],
    ['List songs sorted by seconds in descending order.', ['show songs', 'order seconds desc']],
    [
      'Show the top 3 stadiums by capacity.',
      ['show stadiums', 'show capacity', 'order capacity desc', 'limit 3'],
    ],
    ['Which stadium has the most concerts?', ['show stadium', 'order count concerts desc', 'limit 1']],
    ['Which stadium has the fewest concerts?', ['show stadium', 'order count concerts asc', 'limit 1']],
    ["Songs whose title contains 'Hey'", ['show Songs', "where title like-anywhere 'Hey'"]],
    ['Students whose address is missing', ['show Students', 'where address null']],
    ['Students whose address is not missing', ['show Students', 'where not address null']],
    ['How many different countries are there?', ['show count distinct countries']],
  ];
  it.each(cases)('“%s”', (question, slots) => {
    expect(outline(question)).toEqual([...slots]);
  });

  it('uses every mention it puts into a slot, and leaves unknown words unused', () => {
    const question = 'Show the salary of purple singers from France.';
    const frame = frameOf(question);
    const times = findTimes(question, NOW, KNOWLEDGE.semantics.timeRules);
    const mentions = findMentions(question, tokenise(question), times, KNOWLEDGE);
    const used = mentions.filter((mention) => frame.used.has(mention.index)).map((mention) => mention.text);
    expect(used).toEqual(expect.arrayContaining(['salary', 'singers', 'France']));
    expect(used).not.toContain('purple');
  });
});
