import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PostingsWriter, readPostings } from './postings/segment-writer.ts';

const steps = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 120, max: 300_000 }));
const posting = fc.tuple(steps, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 40 }));

it('gives back what was written, counts up to what they hold', () => {
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 80 }), (list) => {
      const writer = new PostingsWriter();
      let number = 0;
      const written = list.map(([step, inTitle, inBody]) => {
        number += step;
        writer.add(number, inTitle, inBody);
        return [number, Math.min(inTitle, 7), Math.min(inBody, 31)];
      });
      const read: number[][] = [];
      readPostings(writer.bytes(), (...each) => read.push(each));
      expect(read).toEqual(written);
    }),
  );
});
