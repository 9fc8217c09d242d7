/** Which questions a database can answer: labelled sets, what is learned of them and how well. */

export { learnBoundary } from './learn-boundary.ts';
export { type AnswerableMetrics, measureAnswerable } from './measure-answerable.ts';
export { questionFilesIn, readEhrsql, readLabelled } from './read-labelled.ts';
