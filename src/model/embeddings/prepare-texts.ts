/** What every adapter does with texts before a model sees them. */

/** Half of a surrogate pair: no letter, and refused by some services. */
const LONE_SURROGATE = /\p{Surrogate}/gu;
const CONTROL = /\p{Cc}/gu;

/**
 * The text as models get it: control characters become spaces, halves of surrogate pairs the replacement character,
 * and what lies beyond `maxCharacters` (UTF-16 units) is left out, since no encoder reads further.
 */
export function prepareText(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replace(LONE_SURROGATE, '\ufffd').replace(CONTROL, ' ').trim();
}

/**
 * Embeds through `encode`, which is never asked for an empty text: services refuse it, and the built-in encoder
 * forgets it. Its vector is the first axis, far from everything.
 */
export async function embedPrepared(
  texts: readonly string[],
  shape: { readonly dimensions: number; readonly maxCharacters: number },
  encode: (prepared: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[]> {
  const prepared = texts.map((text) => prepareText(text, shape.maxCharacters));
  const vectors = (await encode(prepared.filter((text) => text !== '')))[Symbol.iterator]();
  return prepared.map((text) => {
    const vector: Float32Array | undefined = text === '' ? undefined : vectors.next().value;
    return vector ?? firstAxis(shape.dimensions);
  });
}

/** The vector of a text that says nothing. */
export function firstAxis(dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = 1;
  return vector;
}
