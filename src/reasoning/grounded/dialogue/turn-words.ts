/** Words by which a turn goes on from the question before it. */
export const TURN_WORDS = {
  /** May stand before any question; says little alone. */
  opener:
    /^(?:(?:and|but|ok|okay|so|now|then|also|please|great|thanks|plus|well|actually|hm+|yes|no)\b[\s,]*)+/i,
  /** The question before it, for something else. */
  about:
    /^(?:(?:what|how) about|what if it(?:'s| is| was| were)?|(?:the )?same(?: thing| question| again)?|make (?:it|that)|change (?:it|that) to|switch to)\b[\s,]*/i,
  replace: /\b(?:instead|rather)\b/i,
  add: /^(?:also|plus|and also|add|include|with)\b|\b(?:too|also|as well|in addition|additionally)\s*$/i,
  narrow:
    /^(?:only|just|limit (?:it|that|this) to|narrow (?:it|that) (?:down )?to|filter (?:it|them|by|on|for|to))\b|\bonly\s*$/i,
  /** Points to what the question before it found. */
  back: /\b(?:them|they|their|theirs|those(?! (?:that|who|which|with|whose))|these|it|its|ones?|(?:that|the) list(?! of)|the results?(?! of)|the same)\b/i,
  /** Asks for the rows themselves. */
  rows: /^(?:(?:please |can you |could you )?(?:show|list|give|name|display|see|get)(?: me)?(?: all)?(?: of)? (?:them|those|these|it)(?: all)?|who (?:are|were) they|which (?:ones?|are they)|what are they|who\??|which(?: ones?)?)$/i,
  imperative:
    /^(?:please |can you |could you )?(?:show|list|give|find|display|tell|get|name|return|compare|count|see|add|include|how (?:is|are|was|were|did|do|does|has|have))\b/i,
} as const;
