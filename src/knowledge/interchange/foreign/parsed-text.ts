/** What parsers of foreign files give, and how they refuse. */

export type ForeignPath = readonly (string | number)[];

/** Collections below each other; real models stay below twenty. */
export const MAX_FOREIGN_DEPTH = 200;

/** A parsed text; `offsetOf` gives where a value stands, of a mapping's entry its key. */
export interface ParsedText {
  readonly value: unknown;
  offsetOf(path: ForeignPath): number;
}

/** A fault while parsing: what is wrong at which offset of the text. */
export class ForeignSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}
