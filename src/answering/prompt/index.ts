/** What the writer of SQL sees: linked schema, context, descriptions. */

export { type LinkedQuestion, linkingOf, linkQuestion, openLinking } from './link-question.ts';
export { assembleContext, fitsWhole, type QuestionContext } from './question-context.ts';
