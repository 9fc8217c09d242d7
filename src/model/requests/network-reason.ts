/** What the network did, in a few words: the code of the innermost cause, `fetch failed` says nothing. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason was given';
  if (error.cause !== undefined && error.cause !== error) return networkReason(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return networkReason(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
