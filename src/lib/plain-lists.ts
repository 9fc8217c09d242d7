import { z } from 'zod';

/** Bounds of a list of a model file. */
export interface ListBounds {
  readonly least?: number;
  readonly most: number;
}

/** What is wrong with a value, and where in it; in words that begin as those of zod do. */
export interface ListFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * A check in one loop: a model has hundreds of thousands of numbers, and a schema of its own for each took most of the time that reading
 * a model takes.
 */
export function plainCheck<Content>(faultOf: (value: unknown) => ListFault | undefined): z.ZodType<Content> {
  return z.custom<Content>().superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault !== undefined)
      context.addIssue({ code: 'custom', message: fault.message, path: [...fault.path] });
  });
}

/** A list of numbers; `accepts` is asked of finite ones alone. */
export function numberList(bounds: ListBounds, accepts?: (value: number) => boolean): z.ZodType<number[]> {
  return plainCheck((value) => faultOfNumbers(value, bounds, accepts));
}

/** A list of texts of at most `longest` characters. */
export function textList(bounds: ListBounds, longest: number): z.ZodType<string[]> {
  return plainCheck((value) =>
    faultOfList(value, bounds, (entry) => {
      if (typeof entry !== 'string') return 'Invalid input: expected string';
      return entry.length > longest ? `Too big: expected at most ${longest} characters` : undefined;
    }),
  );
}

export function faultOfNumbers(
  value: unknown,
  bounds: ListBounds,
  accepts: (value: number) => boolean = () => true,
): ListFault | undefined {
  return faultOfList(value, bounds, (entry) =>
    typeof entry === 'number' && Number.isFinite(entry) && accepts(entry)
      ? undefined
      : 'Invalid input: expected another number',
  );
}

/** The first fault of a list and its entries. */
export function faultOfList(
  value: unknown,
  { least = 0, most }: ListBounds,
  faultOf: (entry: unknown) => string | ListFault | undefined,
): ListFault | undefined {
  if (!Array.isArray(value)) return { path: [], message: 'Invalid input: expected array' };
  if (value.length < least) return { path: [], message: `Too small: expected at least ${least} entries` };
  if (value.length > most) return { path: [], message: `Too big: expected at most ${most} entries` };
  for (let at = 0; at < value.length; at++) {
    const fault = faultOf(value[at]);
    if (typeof fault === 'string') return { path: [at], message: fault };
    if (fault !== undefined) return { path: [at, ...fault.path], message: fault.message };
  }
  return undefined;
}
