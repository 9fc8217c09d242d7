import { expect, it } from 'vitest';
import type { Answer } from '../../answer.ts';
import { answerWithoutSql } from './hide-sql.ts';

it('keeps what an engine says of the rows, and nothing that quotes conditions of the query', () => {
  const answer = {
    kind: 'answered',
    ...{ sql: "SELECT 1 WHERE 'fired' = 'x'", columns: [], rows: [], related: [] },
    ...{ checks: [], alternatives: [], assumptions: [], evidence: [] },
    notices: [
      {
        code: 'data-matters',
        text: "rows where state is NULL are kept beside state <> 'fired': 3 instead of 2",
      },
      { code: 'value-cut', text: 'A value was cut.' },
    ],
  } as unknown as Answer;
  const shown = answerWithoutSql(answer);
  expect(JSON.stringify(shown)).not.toContain('fired');
  expect(shown).toMatchObject({ notices: [{ code: 'value-cut' }] });
});
