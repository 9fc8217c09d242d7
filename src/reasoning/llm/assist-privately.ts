/** The roles around writing in private mode: queries without their literals, no answers, no text about columns. */
import { redactSql } from '../../catalog/index.ts';
import type { AssistReasoner, TalkState } from '../roles/assist-reasoner.ts';

export function assistPrivately(assistant: AssistReasoner): AssistReasoner {
  return {
    kind: assistant.kind,
    nameTables: assistant.nameTables,
    route: (question, { turns, lastQuery, tables }) =>
      assistant.route(question, {
        turns: questionsOf(turns),
        ...(lastQuery !== undefined && { lastQuery: withoutLiterals(lastQuery) }),
        tables,
      }),
    judgeAnswer: (question, { sql, golds, dialect }) =>
      assistant.judgeAnswer(question, {
        ...(sql !== undefined && { sql: redactSql(sql, dialect).sql }),
        golds: golds.map((gold) => redactSql(gold, dialect).sql),
        dialect,
      }),
    describeQuery: (query) =>
      assistant.describeQuery({ ...query, sql: redactSql(query.sql, query.dialect).sql, about: [] }),
    answerAbout: (question, { schema, knowledge, turns, lastQuery }) =>
      assistant.answerAbout(question, {
        ...(schema !== undefined && { schema }),
        knowledge,
        turns: questionsOf(turns),
        ...(lastQuery !== undefined && { lastQuery: withoutLiterals(lastQuery) }),
      }),
  };
}

/** An answer in a line is a row. */
function questionsOf(turns: TalkState['turns']): TalkState['turns'] {
  return turns.map(({ question }) => ({ question, answer: '' }));
}

/** Nobody says in which dialect: what may be a text in double quotes goes, too. */
export function withoutLiterals(sql: string): string {
  return redactSql(sql, 'mysql', { isName: () => false }).sql;
}
