import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { hypothesise } from '../../hypothesise.ts';

const knowledge = smallKnowledge();

describe('unexplainedWords', () => {
  it.each([
    ['How many cancelled concerts are there?', ['cancelled']],
    ['Which concerts were cancelled?', ['cancelled']],
    ['Which concerts have been postponed?', ['postponed']],
    ['How many singers performed in concerts?', []],
    ['What is the average rating of the concerts?', ['rating']],
    ['Which singers are singing?', []],
    ['How many concerts are there?', []],
  ])('of “%s” are %j', (question, expected) => {
    const { unexplained } = hypothesise(question, knowledge, new Date('2024-10-01T12:00:00Z'));
    expect(unexplained.map(({ text }) => text)).toEqual(expected);
  });
});
