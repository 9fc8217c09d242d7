import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitOutput, splitOutputAsPublished } from './read-answer.ts';

/** Output; is it well-formed, and what it answers: by our rule, then by that of the published code. */
const CASES: readonly (readonly [
  output: string,
  ours: readonly [boolean, string | undefined],
  published: readonly [boolean, string | undefined],
])[] = [
  ['<think>t</think><answer>a</answer>', [true, 'a'], [true, 'a']],
  ['  <think>t</think>\n\n<answer> a </answer>\n', [true, 'a'], [true, 'a']],
  ['Sure! <think>t</think><answer>a</answer>', [false, 'a'], [true, 'a']],
  ['<think>t</think><answer>a</answer> I hope this helps.', [false, 'a'], [true, 'a']],
  ['<think>t</think> so <answer>a</answer>', [false, 'a'], [false, undefined]],
  ['<think>t</think><answer>a</answer><answer>b</answer>', [false, undefined], [true, 'a']],
  ['<answer>a</answer>', [false, 'a'], [false, undefined]],
  ['<answer>a</answer><think>t</think>', [false, 'a'], [false, undefined]],
  ['<think>t</think><answer>a', [false, undefined], [false, undefined]],
  ['<think>t<answer>a</answer>', [false, 'a'], [false, undefined]],
  ['<think></think><answer></answer>', [false, undefined], [true, '']],
  ['<think> </think><answer>a</answer>', [false, 'a'], [true, 'a']],
  ['<think>a<think>b</think><answer>a</answer>', [false, 'a'], [true, 'a']],
  ['</answer><think>t</think><answer>', [false, undefined], [false, undefined]],
  ['<THINK>t</THINK><ANSWER>a</ANSWER>', [false, undefined], [false, undefined]],
  ['', [false, undefined], [false, undefined]],
];

describe('splitOutput', () => {
  it.each(CASES)('%j', (output, ours, published) => {
    const [mine, theirs] = [splitOutput(output), splitOutputAsPublished(output)];
    expect([mine.isWellFormed, mine.answer]).toEqual(ours);
    expect([theirs.isWellFormed, theirs.answer]).toEqual(published);
  });

  it('agrees with the regular expression of the format on any order of the tags', () => {
    const part = fc.constantFrom('<think>', '</think>', '<answer>', '</answer>', ' ', '\n', 'x');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const output = parts.join('');
        const shape = /^<think>([^<]*)<\/think>\s*<answer>([^<]*)<\/answer>$/.exec(output.trim());
        const expected = shape?.[1]?.trim() !== '' && shape?.[2]?.trim() !== '' && shape !== null;
        expect(splitOutput(output).isWellFormed).toBe(expected);
        const found = /<think>[\s\S]*?<\/think>\s*<answer>([\s\S]*?)<\/answer>/.exec(output);
        expect(splitOutputAsPublished(output).answer).toBe(found?.[1]?.trim());
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });

  it('stays linear on texts of nothing but tags', () => {
    const output = `${'<think>'.repeat(60_000)}${'</think>   '.repeat(60_000)}`;
    const from = performance.now();
    splitOutput(output);
    splitOutputAsPublished(output);
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
