/** Words that ask what something means, and are not what it is. */
const ASKING = [
  /^(?:please|can you|could you|so|and|but|ok|okay|hi|hello|hey)\b[\s,]*/i,
  /^(?:explain|clarify|define|describe|tell me|summari[sz]e)\b(?:\s+(?:to me|me|us|about|more about))*\s*/i,
  /^(?:what|how)(?:['’]s)?\s+(?:is|are|was|were|does|do|did|goes into|makes up|counts as|counts (?:for|towards))?\s*/i,
  /^(?:you|we|one|they)\s+(?:calculate|compute|define|measure|count|derive)\s+/i,
  /^(?:the\s+)?(?:definition|meaning)\s+of\s+/i,
  /^(?:meant by|calculate|compute|define|measure)\s+/i,
  /^(?:the|an?|term|word|metric|figure|column|our|your|this|that)\s+/i,
  /\s+(?:mean|stand for|refer to|consist of|made (?:up )?of|composed of|based on|computed from|derived from|(?:calculated|computed|defined|measured|counted|derived|determined))(?:\s+(?:here|exactly|in this database))?$/i,
] as const;

/** `what does ticket income mean?` → `ticket income`. */
export function conceptOf(text: string): string {
  let rest = text
    .replace(/\s+/gu, ' ')
    .replace(/[\s?.!]+$/, '')
    .trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of ASKING) rest = rest.replace(pattern, '').trim();
  }
  return rest === '' ? text : rest;
}
