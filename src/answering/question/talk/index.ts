/** What is said to what asks for nothing in the data. */
export { replyToTalk } from './reply-to-talk.ts';
