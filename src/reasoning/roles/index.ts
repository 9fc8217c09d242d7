/** What replies of every reasoner have in common. */

export { adjacentPhrases } from './adjacent-phrases.ts';
export { isUnusableReply } from './unusable-reply.ts';
