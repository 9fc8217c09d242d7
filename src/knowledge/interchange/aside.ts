/** Parts of a foreign file that have no place with us: kept in the vendor's block, each with where it stood. */
import { z } from 'zod';
import { isRecord } from './lean-model.ts';
import { type BlockData, withoutUndefined } from './vendor-block.ts';

const ASIDE = z.record(z.string(), z.array(z.strictObject({ at: z.int().min(0), item: z.unknown() })));

export type Aside = z.infer<typeof ASIDE>;

/** Collects what is set aside, by the list it stood in. */
export class AsideBox {
  readonly #lists: Aside = {};

  add(list: string, at: number, item: unknown): void {
    this.#lists[list] = [...(this.#lists[list] ?? []), { at, item }];
  }

  /** For a vendor's block: nothing when nothing was set aside. */
  block(): BlockData {
    return Object.keys(this.#lists).length === 0 ? {} : { aside: this.#lists };
  }
}

/** The list with what was set aside of it put back where it stood. */
export function putBack(items: readonly unknown[], list: string, block: BlockData): unknown[] {
  const parsed = ASIDE.safeParse(block.aside);
  const result = [...items];
  for (const { at, item } of parsed.data?.[list] ?? []) result.splice(Math.min(at, result.length), 0, item);
  return result;
}

/**
 * An expression that had to be rewritten, with the text as it was: `written` goes into the vendor's block and comes
 * back on export while ours is still what it was made into. Not needed where an export writes it so by itself.
 */
export function keepWritten(written: string, ours: string, wouldWrite = ours): BlockData {
  return written === wouldWrite ? {} : { written: { text: written, for: ours } };
}

export function writtenFor(ours: string, block: BlockData): string | undefined {
  const { written } = block;
  const holds = isRecord(written) && written.for === ours && typeof written.text === 'string';
  return holds ? String(written.text) : undefined;
}

/** An element as we write it, with the foreign keys of its block; ours win, whatever a block says. */
export function withForeign(block: BlockData, own: BlockData): Record<string, unknown> {
  const said = withoutUndefined(own);
  const foreign = Object.entries(foreignKeys(block)).filter(([key]) => !Object.hasOwn(said, key));
  return { ...said, ...Object.fromEntries(foreign) };
}

/** The keys of a block that are the foreign file's own, without what we noted in it. */
function foreignKeys(block: BlockData): BlockData {
  return Object.fromEntries(Object.entries(block).filter(([key]) => !NOTED.has(key)));
}

const NOTED = new Set(['aside', 'written', 'called']);
