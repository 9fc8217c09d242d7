import { describe, expect, it } from 'vitest';
import type { Answered, WordUse } from '../../../answer.ts';
import { explainReply } from './explain-answer-tool.ts';

const QUESTION = 'show singers who widely tour in Atlantis';

function use(text: string, role: WordUse['role'], claim: WordUse['claim']): WordUse {
  const start = QUESTION.indexOf(text);
  return { span: { start, end: start + text.length }, text, role, claim };
}

const ANSWER: Answered = {
  kind: 'answered',
  question: QUESTION,
  related: [],
  recordId: 'r1',
  thinkMs: 1,
  sql: 'SELECT name FROM singers',
  columns: ['name'],
  rows: [],
  truncatedBy: null,
  explanation: 'name of singers',
  words: [
    use('show', 'reply', { kind: 'rule', why: 'asks for the reply' }),
    use('singers', 'word', {
      kind: 'query',
      sqlSpans: [{ start: 17, end: 24 }],
      why: 'a name in the query',
    }),
    use('widely', 'word', { kind: 'unused', why: 'nothing in the query says it', isTelling: false }),
    use('Atlantis', 'name', { kind: 'unused', why: 'nothing in the query is called so', isTelling: true }),
  ],
  unused: [{ text: 'Atlantis', why: 'nothing in the query is called so' }],
  evidence: [],
  assumptions: [],
  checks: [],
  alternatives: [],
};

describe('explain_answer', () => {
  it('lists words that tell apart from those without weight', () => {
    const { fields, text } = explainReply(ANSWER, []);
    expect(fields).toMatchObject({
      how: [
        'not used, although it asks for something: “Atlantis” (nothing in the query is called so)',
        'word “singers” in the query (a name in the query): singers',
        'word “widely” not needed in the query: nothing in the query says it',
      ],
    });
    expect(text).toContain('not used, although it asks for something: “Atlantis”');
  });

  it('says of a query that a person has checked that no word is missing', () => {
    const { unused: _, ...rest } = ANSWER;
    const { fields } = explainReply({ ...rest, verified: { question: QUESTION, place: 'a.sql' } }, []);
    expect(JSON.stringify(fields)).not.toContain('although it asks');
    expect(JSON.stringify(fields)).toContain('word “Atlantis” not needed');
  });
});
