/** What reading any format collects beside the model itself. */

import type { Imported, Loss } from '../foreign/conversion.ts';
import type { ForeignDocument, ForeignPath } from '../foreign/foreign-document.ts';
import type { CalledWords, NamedWords, OwnedWords } from './names.ts';
import type { BlockData } from './vendor-block.ts';

/** A field or metric that may share its words with others. */
export interface Called extends OwnedWords {
  readonly element: unknown;
  readonly kind: 'dimension' | 'metric';
  readonly spot: Spot;
}

/** Collects the losses and places of one import. */
export class ImportContext {
  readonly losses: Loss[] = [];
  readonly places = new Map<string, string>();

  readonly #words = new Map<unknown, CalledWords>();

  /** Gives fields or metrics words that no other has; those whose words had to be changed are reported. */
  call(elements: readonly Called[], words: readonly CalledWords[]): void {
    for (const [index, { element, spot, kind, owner }] of elements.entries()) {
      const given = words[index];
      if (given === undefined) continue;
      this.settle(element, given);
      if (given.note.called === undefined) continue;
      const of = owner === '' ? '' : ` of ${owner}`;
      this.lose(
        'approximated',
        spot,
        `${kind} ${given.name}${of}: others have its name or a synonym of it too`,
      );
    }
  }

  /** Gives one element its words. */
  settle(element: unknown, words: CalledWords): void {
    this.#words.set(element, words);
  }

  /** What an element is called in the model; `own` where nothing else was settled. */
  wordsOf(element: unknown, own: NamedWords): CalledWords {
    return this.#words.get(element) ?? { ...own, note: {} };
  }

  /** Notes a loss at a place of a document. */
  lose(kind: Loss['kind'], at: Spot, what: string): void {
    this.losses.push({ kind, place: placeOf(at), what });
  }

  /** Remembers where the element `kind name` stands, as the check of a model names it. */
  mark(element: string, at: Spot): void {
    this.places.set(element, placeOf(at));
  }
}

/** A place of a document. */
export interface Spot {
  readonly document: ForeignDocument;
  readonly path: ForeignPath;
}

export function placeOf({ document, path }: Spot): string {
  return document.place(path);
}

/** A place below another. */
export function below({ document, path }: Spot, ...steps: ForeignPath): Spot {
  return { document, path: [...path, ...steps] };
}

/** What several files say, one after the other. */
export function joinImported(parts: readonly Imported[]): Imported {
  return {
    models: parts.flatMap(({ models }) => models),
    examples: parts.flatMap(({ examples }) => examples),
    notes: parts.flatMap(({ notes }) => notes),
    losses: parts.flatMap(({ losses }) => losses),
    places: new Map(parts.flatMap(({ places }) => [...(places ?? [])])),
  };
}

/** Keys that pass through, each reported once; unknown ones are named as such, misspelt ones refused. */
export function keepKeys(
  element: Readonly<Record<string, unknown>>,
  spot: Spot,
  {
    desk,
    known,
    kept,
  }: { readonly desk: ImportContext; readonly known: readonly string[]; readonly kept: readonly string[] },
): BlockData {
  const unknown = spot.document.unknownKeys(element, known, spot.path);
  const keys = [...kept.filter((key) => element[key] !== undefined), ...unknown];
  for (const key of keys) {
    const what = unknown.includes(key)
      ? `\`${key}\` is no key that we know`
      : `\`${key}\` has no effect here`;
    desk.lose('kept', below(spot, key), what);
  }
  return Object.fromEntries(keys.map((key) => [key, element[key]]));
}
