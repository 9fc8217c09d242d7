/** Blocks of `custom_extensions`: one per vendor, ours under CANDOR. */
import { z } from 'zod';
import { dataOf, isRecord, type LeanExtensions } from '../foreign/lean-model.ts';

export type BlockData = Readonly<Record<string, unknown>>;

/** The data of a vendor's block; empty when there is none. */
export function readBlock(extensions: LeanExtensions | undefined, vendor: string): BlockData {
  const block = extensions?.find(({ vendor_name }) => vendor_name.toUpperCase() === vendor);
  if (block === undefined) return {};
  const data = typeof block.data === 'string' ? parsed(block.data) : block.data;
  return isRecord(data) ? data : {};
}

/** Blocks with data, in the order given; `undefined` when none has any, so that no empty list is written. */
export function blocks(data: Readonly<Record<string, BlockData>>): LeanExtensions | undefined {
  const full = Object.entries(data)
    .map(([vendor, entries]) => ({ vendor_name: vendor, data: withoutUndefined(entries) }))
    .filter((block) => Object.keys(block.data).length > 0);
  return full.length === 0 ? undefined : full;
}

/** The mapping without what is undefined: a key is written only when it says something. */
export function withoutUndefined<T extends object>(value: T): T {
  // The result has the keys of T, less those that hold undefined, which T allows to be absent.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

function parsed(text: string): unknown {
  const data = dataOf(text);
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    // A vendor's text that is no JSON holds nothing of ours.
    return undefined;
  }
}

// Parts of a foreign file that have no place with us: kept in the vendor's block, each with where it stood.

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
