import { z } from 'zod';

/** How the knowledge that a question is asked with differs from the project's own; BAR-SQL §5. */
export const CONTEXT_EDIT = z.discriminatedUnion('kind', [
  /** Columns that the schema no longer has, nor what the semantic model says of them. */
  z.strictObject({ kind: z.literal('hide-columns'), columns: z.array(z.string()).min(1) }),
  /** A dimension that now stands in the table of the facts; its own column is gone. */
  z.strictObject({
    kind: z.literal('move-dimension'),
    dimension: z.string(),
    table: z.string(),
    /** Name of the column in that table. */
    column: z.string(),
    /** What the table now is: a query over the table as it was. */
    sql: z.string(),
  }),
  /** A dimension that a metric now demands. */
  z.strictObject({ kind: z.literal('demand'), metric: z.string(), dimension: z.string() }),
]);

export type ContextEdit = z.infer<typeof CONTEXT_EDIT>;
