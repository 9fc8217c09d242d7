/** Words that ask where something is, or what it means, and are not what it is. */
const ASKING = [
  /^(?:please|can you|could you|hi|hello|hey|so|and|but|ok|okay|now|well)\b[\s,]*/i,
  /^(?:i need|i am looking for|i['’]m looking for|looking for|find|search for|search|look for|list|show|give|tell)(?: me)?(?: all| the| any| some)*\b/i,
  /\b(?:which|what|are there|is there|are|is|do|does|can|could|would|should)\s+(?:we |you |i |the |other |any |some |it |there )*(?:have |hold |store |track |keep )?(?:an?y? |the |some )?(?:tables?|columns?|fields?|datasets?|views?|data|information|info)\b/gi,
  /\b(?:tables?|columns?|fields?|datasets?|views?)\s+(?:are|is|do|does|there|that|which|with|for|about|on|of|have|has|hold|holds|contain|contains|store|stores|keep|keeps|record|records|track|tracks|describe|describes|include|includes|related to)\b/gi,
  /^(?:where|in which tables?|in which columns?)\s+(?:is|are|do|does|can|could|would|should|might)\s+(?:i|we|you|one|the|an?|all)?\b/i,
  /\b(?:stored|kept|saved|recorded|held|tracked|located|come from|find|look for)\b\s*(?:in|at|here)?\s*[?.!]*$/i,
  /^\s*(?:find|look for|get|see|search for|look up)\b/i,
  /^\s*(?:hold|holds|have|has|had|contain|contains|store|stores|keep|keeps|record|records|track|tracks|describe|describes|is|are|do|does|there|with|for|about|on|of|in|the|an?|any|all|tables?|columns?|data|information|that|which|we|you|i|our|my|me|related|to|here)\b/i,
  /\b(?:is|are|do|does|there|have|in it|in there|here)\s*[?.!]*$/i,
] as const;

/** `which tables hold the salaries of singers?` → `salaries of singers`; empty where nothing is left. */
export function subjectOf(text: string): string {
  let rest = text.replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of ASKING) rest = rest.replace(pattern, ' ').replace(/\s+/gu, ' ').trim();
  }
  return rest.replace(/^[\s\p{P}]+|[\s?.!,;:]+$/gu, '');
}
