import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTensors, encodeTensors, encodeTexts, textsOf } from './tensor-file.ts';

const refuse = (what: string): Error => new Error(what);
const read = (bytes: Uint8Array) => decodeTensors(bytes, 1_000_000, refuse);

const FILE = {
  metadata: { format: 'a test 1', about: 'größer 🐙' },
  tensors: {
    bytes: Uint8Array.of(1, 2, 3),
    small: Int16Array.of(-1, 300),
    wide: Float64Array.of(0.1, Number.NEGATIVE_INFINITY, -0),
    none: Float32Array.of(),
  },
};
const bytes = encodeTensors(FILE);

/** The file with another header of the same length or less, its hash left as it was. */
function withHeader(change: (json: string) => string): Uint8Array {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const changed = bytes.slice();
  const header = change(
    Buffer.from(bytes.subarray(8, 8 + length))
      .toString()
      .trimEnd(),
  );
  const text = Buffer.from(header.padEnd(length));
  changed.set(text.subarray(0, length), 8);
  return changed;
}

describe('a file of tensors', () => {
  it('comes back as it was, wherever its bytes lie', () => {
    expect(read(bytes)).toEqual(FILE);
    for (let at = 0; at < 9; at++) {
      const moved = new Uint8Array(bytes.length + 16);
      moved.set(bytes, at);
      expect(read(moved.subarray(at, at + bytes.length))).toEqual(FILE);
    }
  });

  it('comes back whatever it holds', () => {
    const tensor = fc.oneof(
      fc.uint8Array(),
      fc.int8Array(),
      fc.uint16Array(),
      fc.int16Array(),
      fc.uint32Array(),
      fc.int32Array(),
      fc.float32Array(),
      fc.float64Array(),
    );
    const name = fc.string({ unit: 'grapheme' }).filter((text) => text !== '__metadata__' && text !== 'hash');
    fc.assert(
      fc.property(
        fc.dictionary(name, tensor, { noNullPrototype: true }),
        fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true }),
        (tensors, metadata) => {
          const back = read(encodeTensors({ tensors, metadata }));
          expect(back).toEqual({ tensors, metadata });
        },
      ),
    );
  });

  it('is laid out as safetensors is', () => {
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header = JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString());
    expect(header.__metadata__).toMatchObject(FILE.metadata);
    expect(header.wide).toEqual({ dtype: 'F64', shape: [3], data_offsets: [0, 24] });
    expect(header.small).toEqual({ dtype: 'I16', shape: [2], data_offsets: [24, 28] });
    expect(header.bytes).toEqual({ dtype: 'U8', shape: [3], data_offsets: [28, 31] });
    expect(length % 8).toBe(0);
  });

  it.each<[string, Uint8Array, string]>([
    ['empty', new Uint8Array(), 'it is no model file, or it was cut off'],
    ['a text', Buffer.from('{"format":"candor-trees 1"}'), 'it is no model file, or it was cut off'],
    ['cut off', bytes.subarray(0, -1), 'it was cut off'],
    ['cut off in its header', bytes.subarray(0, 40), 'it is no model file, or it was cut off'],
    ['longer', Buffer.concat([bytes, Buffer.of(0)]), '1 bytes belong to nothing'],
    ['too long', new Uint8Array(1_000_001), 'it has 1000001 bytes; at most 1000000 are read'],
    ['without JSON', withHeader(() => 'candor'), 'its header is no JSON'],
    ['with another header', withHeader(() => '7'), 'its header is no object'],
    ['without metadata', withHeader(() => '{}'), 'its metadata is no object of texts'],
    [
      'of an unknown type',
      withHeader((json) => json.replace('F64', 'F63')),
      'wide is no array of a known type',
    ],
    [
      'with a hole',
      withHeader((json) => json.replace('[24,28]', '[26,30]')),
      'small does not begin or end where it has to',
    ],
    [
      'with a wrong length',
      withHeader((json) => json.replace('"shape":[2]', '"shape":[3]')),
      'small does not begin or end where it has to',
    ],
    [
      'with other words',
      withHeader((json) => json.replace('a test 1', 'a test 2')),
      'its content is not that of its hash',
    ],
  ])('that is %s is refused', (_, broken, message) => expect(() => read(broken)).toThrow(message));

  it('is refused whatever single bit is changed, unless it reads the same', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const changed = bytes.slice();
        changed[at]! ^= 1 << bit;
        let back: unknown;
        try {
          back = read(changed);
        } catch {
          return;
        }
        expect(back).toEqual(FILE);
      }),
      { numRuns: 300 },
    );
  });
});

describe('texts of a file', () => {
  const bounds = { most: 3, longest: 5 };
  const texts = (list: readonly string[]) =>
    textsOf(
      read(encodeTensors({ metadata: {}, tensors: { names: encodeTexts(list) } })),
      'names',
      bounds,
      refuse,
    );

  it('come back, with half characters too', () => {
    const list = ['', '"\n', '\ud800'];
    expect(texts(list)).toEqual(list);
  });

  it.each([
    [['a', 'b', 'c', 'd'], 'names is no list of 0 to 3 texts'],
    [['a', 'bcdefg'], 'names[1] is no text of at most 5 characters'],
  ])('are refused beyond their bounds: %j', (list, message) => expect(() => texts(list)).toThrow(message));

  it('are refused where an array of another type has the name', () => {
    const file = read(encodeTensors({ metadata: {}, tensors: { names: Int8Array.of(1) } }));
    expect(() => textsOf(file, 'names', bounds, refuse)).toThrow('names is no array of U8');
    expect(() => textsOf(file, 'others', bounds, refuse)).toThrow('others is no array of U8');
  });
});
