/**
 * Runs `work` on items, so many at once, until `next` gives no more or one fails. All that began are waited for, so that nothing
 * still runs when a session closes; then the first failure is thrown.
 */
export async function runSeveral<Item>(
  atOnce: number,
  next: () => Item | undefined,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  const ended = await Promise.allSettled(
    Array.from({ length: atOnce }, async () => {
      for (let item = next(); item !== undefined; item = hasFailed ? undefined : next()) {
        await work(item).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      }
    }),
  );
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
