import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractJson, parseJson } from './extract-json.ts';

const CASES: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['alone', '{"a": 1}', [{ a: 1 }]],
  ['in a code fence', 'Here it is:\n```json\n{"a": [1, 2]}\n```\nHope it helps.', [{ a: [1, 2] }]],
  ['after thoughts', '<think>maybe {tables} or {"a": 0}?</think> {"a": 1}', [{ a: 1 }]],
  ['in thoughts that never end', '<think>maybe {"a": 0}', []],
  ['with single quotes', "{'a': 'it''s', 'b': True}", [{ a: "it's", b: true }]],
  ['with bare keys and a comma too many', '{a: "x", list: [1, 2,],}', [{ a: 'x', list: [1, 2] }]],
  ['in a word of prose', 'I use {tables} here', [{ tables: null }]],
  ['with brackets in a string', '{"a": "}{ \\" ]"} }', [{ a: '}{ " ]' }]],
  ['after a bracket that never closes', 'we open { and go on. {"a": 1}', [{ a: 1 }]],
  ['a list', '[{"a": 1}]', [[{ a: 1 }]]],
  ['cut off', '{"a": [1, 2', []],
  ['none', 'I cannot help with that.', []],
  ['empty', '', []],
];

describe('JSON in a reply', () => {
  it.each(CASES)('is found: %s', (_, text, values) => {
    expect(extractJson(text).values).toEqual(values);
  });

  it.each([
    ['I cannot help with that.', 'there is no JSON object in the reply'],
    ['{"a": [1, 2', 'a JSON object was begun and not ended'],
    ['{a: &x [1], b: *x}', 'what stands in brackets is not JSON'],
    ['{"a": "b" "c"}', 'what stands in brackets is not JSON'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'the JSON is nested deeper than 32 levels'],
    [' '.repeat(400_001), 'the reply is longer than 400000 characters'],
  ])('that is not there has a reason (%#)', (text, problem) => {
    expect(extractJson(text)).toEqual({ values: [], problem });
  });

  it('is found whatever object it is and whatever fence is around it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const found = extractJson(`Sure!\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\nDone.`);
        expect(JSON.stringify(found.values)).toBe(JSON.stringify([value]));
      }),
    );
  });

  it('never fails on any text', () => {
    const pieces = fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', '\n'));
    fc.assert(
      fc.property(pieces, (list) => {
        const { values, problem } = extractJson(list.join(''));
        expect(values.length === 0).toBe(problem !== '');
      }),
    );
  });

  it('does not touch prototypes', () => {
    const [value] = extractJson('{"__proto__": {"polluted": true}}').values;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});

describe('arguments of a tool', () => {
  it.each([
    ['{"items": ["a"]}', { value: { items: ['a'] } }],
    ['"text"', { value: 'text' }],
    ['items: a', { problem: 'what stands in brackets is not JSON' }],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, { problem: 'the JSON is nested deeper than 32 levels' }],
  ])('%s', (text, read) => expect(parseJson(text)).toEqual(read));
});
