/** Conversations: what a turn wants, who serves it, and what the next one goes on from. */
export { type AskedBefore, askInMessages } from './ask-in-messages.ts';
export { converse } from './converse.ts';
export { parseTalk } from './parse-talk.ts';
export { keepIn } from './remember-agent.ts';
export { tableCards } from './turn/table-cards.ts';
export {
  type Card,
  type ConverseOptions,
  type KeepKnowledge,
  NEW_TALK,
  type Reply,
  type TableCard,
  type Talk,
  type Turn,
} from './turn/turn.ts';
