import { describe, expect, it } from 'vitest';
import { testCases } from '../../../../../test/fixtures/grounded/read-cases.ts';
import { smallKnowledge } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { applyHint } from '../../question/hints/apply-hint.ts';
import { findMentions } from '../../question/mention/find-mentions.ts';
import { findTimes } from '../../question/read/find-times.ts';
import { tokenise } from '../../question/read/tokenise.ts';
import { parseFrame } from '../parse-frame.ts';
import { RULES } from './index.ts';

const KNOWLEDGE = smallKnowledge();
/** Examples another stage reads before the rule can; the test breaks once they fire it, or are replaced. */
const MUST_FAIL: ReadonlyMap<string, string> = new Map([]);
const NOW = new Date('2024-05-15T12:00:00Z');

function rulesOf(question: string, hint: string | undefined): string[] {
  const times = findTimes(question, NOW, KNOWLEDGE.semantics.timeRules);
  const tokens = tokenise(question);
  const { spans } = applyHint(hint, tokens, { knowledge: KNOWLEDGE, now: NOW });
  return parseFrame(findMentions(question, tokens, times, KNOWLEDGE, spans)).rules;
}

describe('rules', () => {
  it('have names of their own', () => {
    const names = RULES.map((rule) => rule.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });

  it('has no known failure that is no example', () => {
    const examples = RULES.flatMap((rule) => rule.examples);
    expect([...MUST_FAIL.keys()].filter((question) => !examples.includes(question))).toEqual([]);
  });

  describe.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (name, { examples, hint }) => {
    it('has two different examples', () => expect(examples[0]).not.toBe(examples[1]));

    testCases(
      examples.map((question) => ({ question, mustFail: MUST_FAIL.get(question) })),
      ({ question }) => `fires on “${question}”`,
      ({ question }) => expect(rulesOf(question, hint)).toContain(name),
    );
  });
});
