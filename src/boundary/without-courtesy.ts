/** Greetings before a question and thanks behind it: said to whoever answers, and of no rows. */

const PEOPLE = '(?: (?:there|all|team|everyone|everybody|folks|candor|again))?';
const GREETING = new RegExp(
  `^(?:(?:hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|dear (?:all|team|colleagues|candor)|i hope you are well)${PEOPLE}\\s*(?<end>[,.!;:–—-]+)\\s*)+`,
  'i',
);
/** Behind a comma a name may go on: "Good Morning, Vietnam". */
const ASKS =
  /^(?:how|what|which|who|whom|whose|where|when|why|is|are|was|were|do|does|did|can|could|would|will|please|list|show|give|tell|get|find|count|i|we|our|the|all)\b/i;
/** Behind a comma only what is no name: “Friends, Cheers” are two series. */
const THANKS =
  /(?:(?:(?<=[?.!;])\s*(?:many thanks|thank you|cheers|ty|ta)|(?<=[?.!,;])\s*(?:thanks|thx)|\s(?:thx|pls|plz))(?:,? (?:a lot|so much|very much|in advance|again|for (?:your|the) help|and have a (?:nice|good|great|lovely) (?:day|evening|weekend)))*[\s.!,]*)+$/i;

/** The question without them; as it is where nothing else was said. */
export function withoutCourtesy(text: string): string {
  const greeting = GREETING.exec(text);
  const rest = greeting === null ? text : text.slice(greeting[0].length);
  const isOver = greeting?.groups?.end !== ',' || ASKS.test(rest);
  const asked = (isOver ? rest : text).replace(THANKS, '').trim();
  return /[\p{L}\p{N}]/u.test(asked) ? asked : text;
}
