/** What a model offers beside its answer goes through the same checks as the answer. */

/** Without those whose query does not pass the checks: nobody is shown what could not be run for them. */
export async function soundOnly<Offered extends { readonly sql?: string }>(
  offered: readonly Offered[],
  { check }: { check(sql: string): Promise<{ readonly ok: boolean }> },
): Promise<readonly Offered[]> {
  const judged = await Promise.all(
    offered.map(async (one) => ({ one, ok: one.sql === undefined || (await check(one.sql)).ok })),
  );
  return judged.flatMap(({ one, ok }) => (ok ? [one] : []));
}
