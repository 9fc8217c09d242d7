/**
 * Formats whose names are identifiers: `order status` is written as `order_status` with the spoken name as its first
 * synonym, and read back from there.
 */

export interface NamedWords {
  readonly name: string;
  readonly synonyms: readonly string[];
}

/** The name as a plain identifier: letters, digits and `_`, no digit first. */
export function plainName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '');
  const kept = plain === '' ? (/^_+$/.test(name) ? name : 'name') : plain;
  const whole = /^\w+$/.test(name) ? name : kept;
  return /^\d/.test(whole) ? `_${whole}` : whole;
}

/** How a name is written where only identifiers may stand. */
export function writeName({ name, synonyms }: NamedWords): NamedWords {
  const plain = plainName(name);
  return plain === name ? { name, synonyms } : { name: plain, synonyms: [name, ...synonyms] };
}

/** The inverse of `writeName`. */
export function readName({ name, synonyms }: NamedWords): NamedWords {
  const [first, ...others] = synonyms;
  const isSpoken = first !== undefined && first !== name && plainName(first) === name;
  return isSpoken ? { name: first, synonyms: others } : { name, synonyms };
}

/** Makes names unique, ignoring case: the second `total` becomes `total_2`. One per namespace. */
export function nameKeeper(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name}_${count}`;
    taken.add(free.toLowerCase());
    return free;
  };
}
