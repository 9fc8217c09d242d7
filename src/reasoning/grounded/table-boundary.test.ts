import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../../test/fixtures/grounded/small-catalog.ts';
import { hypothesise } from './hypothesise.ts';

const KNOWLEDGE = smallKnowledge();
const boundaryOf = (question: string) =>
  hypothesise(question, KNOWLEDGE, new Date('2024-05-15T12:00:00Z')).boundary;

describe('tableBoundary', () => {
  const cases: readonly (readonly [question: string, boundary: object | undefined])[] = [
    // a grouping or a figure that no column carries
    ['How many singers are there per gender?', { kind: 'unread', reason: 'dimension', phrases: ['gender'] }],
    ['Average age for each wingspan', { kind: 'unread', reason: 'dimension', phrases: ['wingspan'] }],
    ['What is the average wingspan of singers?', { kind: 'unread', reason: 'metric', phrases: ['wingspan'] }],
    ['Show the maximum wingspan.', { kind: 'unread', reason: 'metric', phrases: ['wingspan'] }],
    ['How many singers are there per country?', undefined],
    ['What is the average age of singers?', undefined],
    // best by what?
    ['Show our best singers', { kind: 'clarify', gap: 'term', phrase: 'best' }],
    ['Which singer has the highest salary?', undefined],
    ['Show the best singers by salary', undefined],
  ];
  it.each(cases)('“%s”', (question, boundary) => {
    const found = boundaryOf(question);
    if (boundary === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(boundary);
  });

  it('names the nearest columns there are', () => {
    const boundary = boundaryOf('What is the average capasitty of stadiums?');
    expect(boundary?.kind === 'unread' ? boundary.suggested : []).toContain('capacity');
  });

  it('offers figures of the table, each as a question that can be read', () => {
    const boundary = boundaryOf('Show our best singers');
    const options = boundary?.kind === 'clarify' ? boundary.options : [];
    expect(options.map((option) => option.label)).toContain('with the highest salary');
    expect(options.map((option) => option.label).join()).not.toContain('singer_id');
    for (const { question } of options) {
      const { readings, boundary: again } = hypothesise(question, KNOWLEDGE, new Date('2024-05-15'));
      expect(again, question).toBeUndefined();
      expect(readings.length, question).toBeGreaterThan(0);
    }
  });
});
