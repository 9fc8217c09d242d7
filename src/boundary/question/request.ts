/** A question that passed the first checks, ready for the stages. */
export interface Request {
  /** As asked, trimmed. */
  readonly original: string;
  /** With the words of the trade replaced by what they mean. */
  readonly text: string;
}
