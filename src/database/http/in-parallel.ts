/** Works through the items, so many at once, and returns the results in order. The first error ends it: no further item is begun. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const open = items.entries();
  let hasFailed = false;
  const workThrough = async (): Promise<void> => {
    for (const [index, item] of open) {
      if (hasFailed) return;
      try {
        results.set(index, await work(item));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workThrough));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
