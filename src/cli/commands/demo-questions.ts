/** What the demo asks: one question that is answered, one that needs a question back, one that is refused. */
export const DEMO_QUESTIONS: readonly { readonly question: string; readonly shows: string }[] = [
  {
    question: 'orders by brand in 2024',
    shows: 'An answer: rows, the SQL behind them, and where each part of it comes from.',
  },
  {
    question: 'how were sales in 2024?',
    shows: 'A question back: the words have more than one reading here, so Candor does not guess.',
  },
  {
    question: 'average customer satisfaction per dealer in 2024',
    shows: 'A refusal: the database does not hold this, and Candor says so instead of making it up.',
  },
];

/** Questions to try after the demo. */
export const DEMO_NEXT_QUESTIONS: readonly string[] = [
  'number of test drives per month in 2023',
  'which province had the most orders in 2024?',
];
