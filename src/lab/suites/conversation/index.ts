export { renderConversations, summariseConversations } from './render-conversations.ts';
export { runConversations } from './run-conversations.ts';
