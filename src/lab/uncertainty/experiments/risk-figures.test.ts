import { describe, expect, it } from 'vitest';
import { type JudgedCase, riskFigures, writerFigures } from './risk-figures.ts';

function judged(
  question: string,
  isRight: boolean,
  risk: number,
  more: Partial<JudgedCase> = {},
): JudgedCase {
  const passes = [0.1, 0.2, 0.3].map((limit) => risk <= limit);
  const marks = risk > 0.3 ? [{ kind: 'column' }] : [];
  return {
    ...{ question, database: 'd', writers: ['a'], isRight, risk, passes, marks, isTopWrong: undefined },
    ...more,
  };
}

describe('figures of risks', () => {
  const cases = [
    judged('q1', true, 0.04),
    judged('q1', false, 0.9, { isTopWrong: true }),
    judged('q2', true, 0.5),
    judged('q2', false, 0.4, { isTopWrong: false }),
    judged('q3', false, 0.08, { marks: [{ kind: 'clause' }] }),
  ];
  const figures = riskFigures('all', cases);

  it('tell the order, over all pairs and within a question', () => {
    // Of six pairs of a right and a wrong one: .04 is below .9, .4, .08; .5 below .9 alone.
    expect(figures.auc.value).toBeCloseTo(4 / 6, 12);
    expect(figures.withinQuestion).toBe(0.5);
  });

  it('tell what passes at a target, and how much of it is wrong', () => {
    expect(figures.targets.map(({ passed, wrong }) => [passed, wrong])).toEqual([
      [2, 0.5],
      [2, 0.5],
      [2, 0.5],
    ]);
    expect(riskFigures('none', [judged('q', true, 0.9)]).targets[0]?.wrong).toBeNaN();
  });

  it('tell who carries a mark, and whether it points at what is wrong', () => {
    expect(figures).toMatchObject({ rightMarked: 0.5, keywordMarks: 1, topWrong: 0.5, topOf: 2 });
    expect(figures.wrongMarked).toBe(1);
    // From .5 on the wrong ones of .4 and .08 carry none any more.
    expect(figures.marks.find(({ from }) => from === 0.5)).toEqual({
      ...{ from: 0.5, rightMarked: 0.5, wrongMarked: 1 / 3 },
    });
  });

  it('are told of each writer with enough queries', () => {
    const both = [...cases, judged('q4', false, 0.7, { writers: ['a', 'b'] })];
    expect(writerFigures(both, 2).map(({ writer, queries }) => [writer, queries])).toEqual([['a', 6]]);
    expect(writerFigures(both, 1).map(({ writer }) => writer)).toEqual(['a', 'b']);
  });
});
