import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCases } from '../../../../../test/fixtures/grounded/read-cases.ts';
import { smallKnowledge } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { DIALECTS } from '../../../../sql/dialects/index.ts';
import {
  type Expression,
  type Predicate,
  printQuery,
  type SelectQuery,
} from '../../../../sql/print/index.ts';
import type { ColumnNames, Definition } from '../mention/definition.ts';
import { readHint } from './read-hint.ts';
import { splitHint } from './split-hint.ts';

const CASES = readCases('hints.jsonl', z.strictObject({ hint: z.string(), read: z.array(z.string()) }));
const KNOWLEDGE = smallKnowledge();
const GIVEN = { now: new Date('2024-10-01T12:00:00Z') };

describe('readHint', () => {
  it.each(CASES)('“$hint”', ({ hint, read }) => {
    expect(readHint(hint, KNOWLEDGE, GIVEN).definitions.map(textOf)).toEqual(read);
  });

  it('lists what it does not understand', () => {
    const { unread } = readHint(
      "old refers to age > 40; gold is a metal; kind = 'cat' or so",
      KNOWLEDGE,
      GIVEN,
    );
    expect(unread.map(({ text }) => text)).toEqual(['gold is a metal', "kind = 'cat' or so"]);
  });

  it('drops no statement, and takes any text', () => {
    const words = fc.constantFrom(
      'age',
      "'cat'",
      '=',
      'refers to',
      ';',
      '(',
      'MAX',
      'where',
      '"',
      ',',
      'is',
      '\\',
      '100',
      '-',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 14 }), (parts) => {
        const hint = parts.join(' ');
        const { definitions, unread } = readHint(hint, KNOWLEDGE, GIVEN);
        expect(definitions.length + unread.length).toBe(splitHint(hint).length);
      }),
    );
  });
});

function textOf({ phrase, meaning }: Definition): string {
  const { columns, conditions, ranking, figure, having, joins, heldBy = [] } = meaning;
  const aggregated = (name: string | undefined, of: ColumnNames): string =>
    `${name === undefined ? '' : `${name} of `}${of[0]?.id ?? ''}`;
  const parts = [
    ...columns.map(([first]) => `shows ${first?.id}`),
    ...conditions.map(({ predicate }) => printed({ where: [predicate] }).replace(/^.* WHERE /, '')),
    ...(ranking === undefined
      ? []
      : [
          `${ranking.direction} by ${ranking.figure === undefined ? aggregated(ranking.aggregate, ranking.columns) : expressionText(ranking.figure.expression)}`,
        ]),
    ...(figure === undefined
      ? []
      : [
          figure.kind === 'aggregate'
            ? aggregated(figure.function, figure.columns)
            : expressionText(figure.expression),
        ]),
    ...(having === undefined
      ? []
      : [`${aggregated(having.aggregate, having.columns)} ${having.operator} ${having.number}`]),
    ...joins.map(([one, other]) => `joins ${one} = ${other}`),
    ...heldBy.map((names) => `held by ${names.map(({ id }) => id).join(' or ')}`),
  ];
  return `${phrase}: ${parts.join('; ')}`;
}

function expressionText(expression: Expression): string {
  return printed({ expression }).replace(/^SELECT (.*) FROM t$/, '$1');
}

function printed({
  expression = { kind: 'star' },
  where = [],
}: {
  readonly expression?: Expression;
  readonly where?: readonly Predicate[];
}): string {
  const query: SelectQuery = {
    ...{ kind: 'select', distinct: false, select: [{ expression }], from: { table: 't' }, joins: [] },
    ...{ where, groupBy: [], having: [], orderBy: [] },
  };
  return printQuery(query, DIALECTS.sqlite).sql;
}
