/** Cube's access policies and our row filters: one policy for everybody that compares columns with properties. */
import { z } from 'zod';
import { readOneColumn } from '../../semantic/semantic-file.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { columnText } from '../foreign/sql-expression.ts';
import { memberKey } from './cube-template.ts';

const POLICY = z.strictObject({
  group: z.literal('*').optional(),
  role: z.literal('*').optional(),
  row_level: z.strictObject({
    filters: z
      .array(
        z.strictObject({
          member: z.string().regex(/^\w+$/),
          operator: z.literal('equals'),
          values: z
            .array(z.string().regex(/^\{\s*(?:userAttributes|securityContext)(?:\.\w+)+\s*\}$/i))
            .length(1),
        }),
      )
      .min(1),
  }),
});

/**
 * The row filter that a cube's access policy is: `tenant_id = :tenant`. `undefined` for policies by group, of members,
 * and of other comparisons: half a policy would show rows that the whole one hides.
 */
export function readPolicy(policy: readonly unknown[], home: LogicalTable): string | undefined {
  const [first, ...others] = policy;
  const parsed = POLICY.safeParse(first);
  if (!parsed.success || others.length > 0) return undefined;
  const conditions = parsed.data.row_level.filters.map(({ member, values }) => {
    const sql = home.members.get(memberKey(member));
    const column = sql && readOneColumn(resolveExpression(sql, [home], home)?.sql ?? '');
    const property = /(\w+)\s*\}$/.exec(values[0] ?? '')?.[1];
    return column && property ? `${columnText(column)} = :${property}` : undefined;
  });
  return conditions.every((condition) => condition !== undefined) ? conditions.join(' AND ') : undefined;
}

/** The policy that a row filter is; `members` are names of dimensions by their column in lower case. */
export function writePolicy(
  rowFilter: string,
  members: ReadonlyMap<string, string>,
): readonly Record<string, unknown>[] | undefined {
  const filters = rowFilter.split(' AND ').map((condition) => {
    const [, column = '', property] = /^\s*(\w+) = :(\w+)\s*$/.exec(condition) ?? [];
    const member = members.get(column.toLowerCase());
    if (member === undefined || property === undefined) return undefined;
    return { member, operator: 'equals', values: [`{ userAttributes.${property} }`] };
  });
  if (filters.some((filter) => filter === undefined)) return undefined;
  return [{ group: '*', row_level: { filters } }];
}
