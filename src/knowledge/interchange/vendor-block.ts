/** Blocks of `custom_extensions`: one per vendor, ours under CANDOR. */
import { dataOf, isRecord, type LeanExtensions } from './lean-model.ts';

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
