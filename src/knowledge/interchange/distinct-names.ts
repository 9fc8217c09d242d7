/**
 * The shortest names that tell things apart: of `raw.orders` and `mart.orders` these are `raw_orders` and
 * `mart_orders`, of `sales.customers` alone `customers`. Paths that are wholly the same get a number.
 */
export function shortestNames(paths: readonly (readonly string[])[]): readonly string[] {
  const names = paths.map((path) => path.at(-1) ?? '');
  const longest = paths.reduce((most, path) => Math.max(most, path.length), 0);
  for (let length = 2; length <= longest; length += 1) {
    const repeated = repeatedWords(names);
    for (const [index, path] of paths.entries()) {
      const name = names[index] ?? '';
      if (repeated.has(name.toLowerCase()) && path.length >= length)
        names[index] = path.slice(-length).join('_');
    }
  }
  const taken = new Set<string>();
  return names.map((name) => distinctName([name], taken));
}

/** Words that stand more than once, whatever their case; in lower case. */
export function repeatedWords(words: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const word of words.map((item) => item.toLowerCase())) (seen.has(word) ? repeated : seen).add(word);
  return repeated;
}

/** The first of the names that is free, else the last with a number; it is taken from then on. */
export function distinctName(names: readonly string[], taken: Set<string>): string {
  const last = names.at(-1) ?? '';
  let chosen = names.find((name) => !taken.has(name.toLowerCase()));
  for (let number = 2; chosen === undefined; number += 1)
    if (!taken.has(`${last} ${number}`.toLowerCase())) chosen = `${last} ${number}`;
  taken.add(chosen.toLowerCase());
  return chosen;
}

/** A name as the name of a file or folder on any system. */
export function fileNameOf(name: string): string {
  const safe = name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+|[. ]+$/g, '');
  return safe.slice(0, 120) || 'unnamed';
}
