export { counted } from './counted.ts';
export { escapeControl } from './escape-control.ts';
export { makeProgress, type Progress, type ProgressEvent } from './progress.ts';
export { type CardLayout, renderAnswer } from './render-answer.ts';
export { errorJson, renderError } from './render-error.ts';
export { renderCsv, renderJson } from './render-rows.ts';
export { renderTable } from './render-table.ts';
export { shellQuote } from './shell-quote.ts';
export { makeStyle, type Style } from './style.ts';
