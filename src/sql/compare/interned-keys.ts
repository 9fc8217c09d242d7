const MAX_PLAIN_KEY = 24;

/** A long key becomes a number, the same for the same key, so that keys of deep trees do not grow with their depth. */
export function internedKeys(): (key: string) => string {
  const numbers = new Map<string, string>();
  return (key) => {
    if (key.length <= MAX_PLAIN_KEY) return key;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = `#${numbers.size}`;
    numbers.set(key, number);
    return number;
  };
}
