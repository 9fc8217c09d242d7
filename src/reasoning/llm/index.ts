/** The roles of a reasoner, filled by a language model. */

export { assistByModel } from './assist-by-model.ts';
export { benchByModel } from './bench-by-model.ts';
export { describedTokens, describeTableByModel } from './describe-by-model.ts';
export { readJsonText } from './extract-json.ts';
export { modelReasoner } from './model-reasoner.ts';
export { literalsOf, normaliseByModel } from './normalise-by-model.ts';
export { describeTablePrompt } from './prompts/describe-table-prompt.ts';
export { writeByModel } from './write-by-model.ts';
