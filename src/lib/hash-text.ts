/** Hashes for tables, samples and seeds, which repeat on every machine; never for secrets. */

/** 32 bits of a text: FNV-1a over its UTF-16 units. Near texts share low bits; `mixBits` spreads them. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** 32 bits of a text, spread well. */
export function hashText(text: string): number {
  return mixBits(fnv1a(text) ^ text.length);
}

/** Every bit of the result depends on every bit of the argument (the finaliser of MurmurHash3). */
export function mixBits(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
