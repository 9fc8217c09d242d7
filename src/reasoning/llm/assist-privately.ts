/** The roles around writing in private mode: queries without their literals, no answers, no text about columns. */
import { redactSql } from '../../catalog/index.ts';
import type { AssistReasoner } from '../assist-reasoner.ts';

export function assistPrivately(assistant: AssistReasoner): AssistReasoner {
  return {
    kind: assistant.kind,
    nameTables: assistant.nameTables,
    route: (question, { turns, lastQuery, tables }) =>
      assistant.route(question, {
        // An answer in a line is a row.
        turns: turns.map((turn) => ({ question: turn.question, answer: '' })),
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
    answerAbout: (question, { lastQuery, ...about }) =>
      assistant.answerAbout(question, {
        ...about,
        ...(lastQuery !== undefined && { lastQuery: withoutLiterals(lastQuery) }),
      }),
  };
}

/** Nobody says in which dialect: what may be a text in double quotes goes, too. */
export function withoutLiterals(sql: string): string {
  return redactSql(sql, 'mysql', { isName: () => false }).sql;
}
