import { CandorError, type ErrorCode } from '../../errors.ts';

const UNUSABLE: ReadonlySet<ErrorCode> = new Set([
  'model.invalid-reply',
  'model.declined',
  'model.reply-cut',
  'model.only-thoughts',
]);

/** A model was reached and asked, and gave nothing that can be used; all else is a failure of the service. */
export function isUnusableReply(error: unknown): error is CandorError {
  return error instanceof CandorError && UNUSABLE.has(error.code);
}
