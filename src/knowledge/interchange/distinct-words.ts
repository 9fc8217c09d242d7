/**
 * Formats name fields and metrics within their table, we within the model: two `count` become `orders count` and
 * `customers count`. What they were called is noted, so that an export calls them so again.
 */
import { isRecord } from './lean-model.ts';
import type { NamedWords } from './spoken-name.ts';
import { isSame } from './tree-changes.ts';
import type { BlockData } from './vendor-block.ts';

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
