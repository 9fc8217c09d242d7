import { isRecord } from '../foreign/lean-model.ts';
import { isSame } from '../foreign/tree-changes.ts';
import type { BlockData } from './vendor-block.ts';

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

/**
 * Formats name fields and metrics within their table, we within the model: two `count` become `orders count` and
 * `customers count`. What they were called is noted, so that an export calls them so again.
 */
export interface OwnedWords {
  /** The dataset it stands in; empty at the model. */
  readonly owner: string;
  readonly words: NamedWords;
}

export interface CalledWords extends NamedWords {
  /** For the vendor's block; empty when nothing was changed. */
  readonly note: BlockData;
}

/** Names of dimensions are made unique; several may share a synonym, and the plain name becomes one. */
export function distinctDimensions(items: readonly OwnedWords[]): CalledWords[] {
  return distinctNames(items).map((name, index) => {
    const { words } = items[index]!;
    return name === words.name
      ? { ...words, note: {} }
      : called(words, { name, synonyms: [words.name, ...words.synonyms] });
  });
}

/** Names and synonyms of metrics are made unique: nothing could tell two of one word apart. */
export function distinctMetrics(items: readonly OwnedWords[]): CalledWords[] {
  const names = distinctNames(items);
  const taken = new Set(names.map((name) => name.toLowerCase()));
  return names.map((name, index) => {
    const { words } = items[index]!;
    const synonyms = words.synonyms.filter((word) => {
      const isFree = !taken.has(word.toLowerCase());
      taken.add(word.toLowerCase());
      return isFree;
    });
    const isChanged = name !== words.name || synonyms.length < words.synonyms.length;
    return isChanged ? called(words, { name, synonyms }) : { ...words, note: {} };
  });
}

/** What a field or metric is called in the foreign file, while its words are still those it was given. */
export function foreignWords(words: NamedWords, block: BlockData): NamedWords {
  const { called: note } = block;
  if (!isRecord(note) || !isSame(note.for, [words.name, ...words.synonyms])) return words;
  const { name, synonyms } = note;
  if (typeof name !== 'string' || !Array.isArray(synonyms)) return words;
  return { name, synonyms: synonyms.filter((word) => typeof word === 'string') };
}

function called(was: NamedWords, now: NamedWords): CalledWords {
  const note = { name: was.name, synonyms: [...was.synonyms], for: [now.name, ...now.synonyms] };
  return { ...now, note: { called: note } };
}

function distinctNames(items: readonly OwnedWords[]): string[] {
  const count = new Map<string, number>();
  for (const { words } of items) {
    const key = words.name.toLowerCase();
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  // Names that stand once keep them, whatever the others become.
  const taken = new Set([...count].filter(([, times]) => times === 1).map(([key]) => key));
  return items.map(({ owner, words: { name } }) => {
    if (count.get(name.toLowerCase()) === 1) return name;
    const long = owner === '' ? name : `${owner} ${name}`;
    let free = long;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${long} ${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

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
