import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../test/fixtures/grounded/small-catalog.ts';
import { buildValueIndex } from '../knowledge/values/index.ts';
import type { Boundary, Hypotheses, MentionNote, Reading } from '../reasoning/roles/reading.ts';
import { decide } from './decide.ts';

const REQUEST = {
  original: 'How many purple singers of the aquarium have a zebra?',
  text: 'how many purple singers of the aquarium have a zebra?',
};
const CLARIFY: Boundary = { kind: 'clarify', gap: 'term', phrase: 'x', ask: 'Which?', options: [] };

function reading(probability: number, explanation = `reading ${probability}`): Reading {
  return {
    query: {
      kind: 'select',
      distinct: false,
      select: [{ expression: { kind: 'star' } }],
      from: { table: 'singers' },
      joins: [],
      where: [],
      groupBy: [],
      having: [],
      orderBy: [],
    },
    sql: 'SELECT * FROM singers',
    parts: [],
    explanation,
    probability,
    rules: [],
    assumptions: [],
    mentions: [],
    unexplained: [],
    metrics: [],
    dimensions: [],
  };
}

function hypotheses(given: {
  readings?: readonly Reading[];
  unknown?: readonly string[];
  boundary?: Boundary;
}): Hypotheses {
  const unexplained = (given.unknown ?? []).map(
    (text): MentionNote => ({
      span: { start: REQUEST.text.indexOf(text), end: REQUEST.text.indexOf(text) + text.length },
      text,
      meaning: 'not understood',
    }),
  );
  return { readings: given.readings ?? [], mentions: [], unexplained, boundary: given.boundary };
}

const SOURCES = { knowledge: smallKnowledge(), values: buildValueIndex([]) };
const settings = (minProbability: number) => ({ ...SOURCES, minProbability });

describe('decide', () => {
  it('answers with all readings when the best is sure enough', () => {
    const readings = [reading(0.8), reading(0.4)];
    expect(decide(REQUEST, hypotheses({ readings }), settings(0.5))).toEqual({ kind: 'sql', readings });
  });

  it('answers at the very limit', () => {
    expect(decide(REQUEST, hypotheses({ readings: [reading(0.5)] }), settings(0.5)).kind).toBe('sql');
  });

  it('abstains below the limit, and says by how much', () => {
    const readings = [reading(0.42)];
    expect(decide(REQUEST, hypotheses({ readings }), settings(0.5))).toEqual({
      kind: 'abstain',
      reason: expect.stringMatching(/0\.42.*0\.50/),
      readings,
    });
  });

  it('takes a boundary of the reasoner before any reading', () => {
    const given = hypotheses({ readings: [reading(0.99)], boundary: CLARIFY });
    expect(decide(REQUEST, given, settings(0))).toEqual({ kind: 'boundary', boundary: CLARIFY });
  });

  it('refuses two words that nothing explains, however sure the reading is', () => {
    const given = hypotheses({ readings: [reading(0.99)], unknown: ['purple', 'aquarium'] });
    expect(decide(REQUEST, given, settings(0))).toEqual({
      kind: 'boundary',
      boundary: {
        kind: 'reject',
        cause: 'not-understood',
        reason: 'scope',
        missing: 'purple, aquarium',
        message: expect.stringContaining('“purple” or “aquarium”'),
        nearest: [],
      },
    });
  });

  it('lets one such word pass when the reading is sure', () => {
    const given = hypotheses({ readings: [reading(0.9)], unknown: ['purple'] });
    expect(decide(REQUEST, given, settings(0.5)).kind).toBe('sql');
  });

  it('names the unknown word rather than a number when the reading is not sure', () => {
    const given = hypotheses({ readings: [reading(0.3)], unknown: ['purple'] });
    expect(decide(REQUEST, given, settings(0.5))).toMatchObject({
      kind: 'boundary',
      boundary: { kind: 'reject', reason: 'scope', missing: 'purple' },
    });
  });

  it('refuses what has no reading: by its unknown words, or as a whole', () => {
    expect(decide(REQUEST, hypotheses({ unknown: ['zebra'] }), settings(0.5))).toMatchObject({
      boundary: { kind: 'reject', missing: 'zebra', nearest: [] },
    });
    expect(decide(REQUEST, hypotheses({}), settings(0.5))).toMatchObject({
      boundary: { kind: 'reject', missing: REQUEST.original },
    });
  });
});
