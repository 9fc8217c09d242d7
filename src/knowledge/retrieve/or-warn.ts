import { CandorError } from '../../errors.ts';

export interface Warned {
  readonly request: { readonly signal?: AbortSignal };
  readonly warnings: string[];
}

/**
 * The result of one source, or what stands for its absence and a warning. A cancelled request still ends, and what is
 * no `CandorError` is a bug, which no warning may hide.
 */
export async function orWarn<Result>(
  what: string,
  work: Promise<Result>,
  without: Result,
  { request, warnings }: Warned,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (request.signal?.aborted || !(error instanceof CandorError)) throw error;
    warnings.push(`no ${what}: ${error.message}`);
    return without;
  }
}
