import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { readAnswer } from './read-answer.ts';

const CASES: readonly (readonly [text: string, ours: 'sql' | 'nl', published: 'sql' | 'nl'])[] = [
  ['SELECT 1', 'sql', 'sql'],
  ['SELECT a FROM t;', 'sql', 'sql'],
  ['select a from t', 'sql', 'sql'],
  ['WITH x AS (SELECT a FROM t) SELECT a FROM x', 'sql', 'sql'],
  ['(SELECT a FROM t) UNION SELECT b FROM u', 'sql', 'sql'],
  ['VALUES (1), (2)', 'sql', 'nl'],
  ['SELECT a FROM', 'nl', 'sql'],
  ['SELECT a FROM t; DROP TABLE t', 'nl', 'sql'],
  ['DELETE FROM t', 'nl', 'nl'],
  ['Please select a region first.', 'nl', 'sql'],
  ['Select a region', 'nl', 'sql'],
  ['I cannot SELECT from a table that is not there.', 'nl', 'sql'],
  ['Which year do you mean?', 'nl', 'nl'],
  ['With which brand?', 'nl', 'nl'],
  ['```sql\nSELECT a FROM t\n```', 'nl', 'sql'],
];

describe('readAnswer', () => {
  it.each(CASES)('%s', (text, ours, published) => {
    const output = `<think>t</think><answer>${text}</answer>`;
    for (const dialect of ['sqlite', 'duckdb', 'postgres', 'mysql'] as const satisfies DialectName[]) {
      expect(readAnswer(output, { dialect }).answer.kind, dialect).toBe(ours);
      expect(readAnswer(output, { dialect, codeCompat: true }).answer.kind, dialect).toBe(published);
    }
  });

  it('reads nothing from an output without an answer', () => {
    expect(readAnswer('SELECT 1', { dialect: 'sqlite' })).toEqual({
      isWellFormed: false,
      answer: { kind: 'none' },
    });
  });
});
