/** A half-open range [start, end) of UTF-16 offsets in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
