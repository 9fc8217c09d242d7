/** A question with what people found: it can be answered here, or not. */
export interface LabelledQuestion {
  readonly id: string;
  readonly question: string;
  readonly isAnswerable: boolean;
}
