import { describe, expect, it } from 'vitest';
import { type ChoiceCandidate, selectionFigures } from './selection.ts';

/** `right risk text form times` */
function candidates(...lines: readonly string[]): readonly ChoiceCandidate[] {
  return lines.map((line) => {
    const [right, risk, text = '', form = '', times] = line.split(' ');
    return { isRight: right === '1', risk: Number(risk), text, form, times: Number(times) };
  });
}

describe('selection among candidates', () => {
  it('counts by hand', () => {
    const figures = selectionFigures([
      // The texts say b, the forms x (2 + 2 against 3), the risk c.
      { question: 'one', candidates: candidates('1 .9 a x 2', '1 .8 d x 2', '0 .7 b y 3', '0 .1 c z 1') },
      { question: 'two', candidates: candidates('0 .9 a x 2', '1 .1 b y 1') },
    ]);
    expect(figures).toMatchObject({
      ...{ questions: 2, oracle: 100, textMajority: 0, formMajority: 50, pick: 50 },
      mean: 100 * ((4 / 8 + 1 / 3) / 2),
    });
    expect(figures.overText.points).toBe(50);
  });

  it('draws among groups of equal size and equal risks', () => {
    const figures = selectionFigures([
      { question: 'one', candidates: candidates('1 .5 a x 1', '0 .5 b y 1') },
    ]);
    expect(figures).toMatchObject({ textMajority: 50, formMajority: 50, pick: 50 });
  });

  it('has no gain over the majority where it picks what most wrote', () => {
    const question = { question: 'one', candidates: candidates('1 .1 a x 5', '0 .2 b y 1') };
    const { overText } = selectionFigures([question, question]);
    expect(overText).toEqual({ points: 0, low: 0, high: 0 });
  });
});
