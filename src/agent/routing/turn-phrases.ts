/** Words by which people say what they want of a conversation about data. */

import { explainQuestion } from '../../answering/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { nameWords } from '../../language/index.ts';
import type { Session } from '../../session/index.ts';

const THIS_QUERY = String.raw`(?:(?:this|that|the|your|my|last|previous|above|it)\s+)*(?:query|sql|statement|it|this|that)\b`;

/** Each is a list of patterns; one of them is enough. */
const TURN_PHRASES = {
  /** Says hello, thanks, or asks what this is: nothing to look up. */
  small: [
    /^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day))\b[\s\p{P}\p{Extended_Pictographic}]*(?:there|all|everyone|candor|team)?[\s\p{P}\p{Extended_Pictographic}]*$/iu,
    /^(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|ok(?:ay)? thanks|got it|bye|goodbye)\b(?:\s+(?:a lot|so much|very much|for (?:that|this|your help)|job|work))?[\s\p{P}]*$/iu,
    /^(?:help|\?+|help me(?: please)?|what (?:can|could) (?:you|i|we) (?:do|ask)(?: (?:you|here|for me))?|how (?:does this|do you) work|who are you|what are you)[\s\p{P}]*$/iu,
  ],
  /** A query does not work. */
  broken: [
    /^(?:please\s+|can you\s+|could you\s+)?(?:fix|repair|correct|mend|debug)\b(?!\s+(?:the\s+)?(?:price|rate|cost)s?\b)/i,
    new RegExp(
      String.raw`\b${THIS_QUERY}\s+(?:still\s+)?(?:fails?|failed|is (?:broken|wrong|invalid)|(?:does|did)(?: not|n['’]t) (?:work|run|compile|parse)|gives? (?:me )?an? error|throws?|errors? out|crashes)`,
      'i',
    ),
    /\bwhat(?:['’]s| is) wrong with (?:this|that|the|my|your|it)\b/i,
    /\b(?:syntax error|sql error|no such (?:column|table|function)|unknown column|unknown table|does not exist|ambiguous column|invalid identifier|error near)\b/i,
    /^(?:i (?:get|got)|it says|the (?:engine|database) says|there is) (?:this |an? )?error\b/i,
    /^error\b\s*:/i,
  ],
  /** A query is too slow. */
  tuning: [
    /\b(?:make|get|run)\s+(?:(?:this|that|the|my)\s+)?(?:query|sql|it|this|that)\s+(?:run\s+)?(?:faster|quicker|cheaper)\b/i,
    /\b(?:optimi[sz]e|tune|speed up)\s+(?:(?:this|that|the|my|last)\s+)*(?:query|sql|statement|it|this|that)\b/i,
    /\bspeed\s+(?:it|this|that|the query)\s+up\b/i,
    /\bwhy (?:is|was|does) (?:(?:this|that|the|my)\s+)?(?:query|sql|it|this|that)\s+(?:so\s+)?(?:slow|take so long|expensive)/i,
    /\b(?:performance of (?:this|that|the|my) query|add an index|would an index help)\b/i,
  ],
  /** Why a part of the last query is there. */
  why: [
    /^why\b.*\b(?:columns?|joins?|joined|filter(?:s|ed)?|conditions?|group(?:ed|ing)?|tables?|distinct|limit|order(?:ed)? by|where clause|in (?:it|there|the (?:query|result|sql))|there|used?|needed|included)\s*[?.!]*$/i,
    /^why (?:did|do|have|are|were) you\b/i,
    /^why (?:is|are|was|were) (?:there|it|that|this|these|those)\b/i,
    /^why (?:the|that|this|not|a|an)?\s*[\w." ]+\?$/i,
    /^what(?:['’]s| is| are) (?:the |that |this |those |these )?[\w." ]*(?:column|join|filter|condition|grouping|where clause)s? (?:for|there for|doing)\b/i,
    /^what(?:['’]s| is| are) (?:the |that |this )?(?:column|join|filter|condition|grouping)\b.{0,60}\bfor\b/i,
    /^where does (?:the |that |this )?[\w." ]*(?:column|join|filter|condition|number) come from\b/i,
  ],
  /** What the last or a given query does. */
  query: [
    new RegExp(
      String.raw`\b(?:explain|describe|walk me through|break down|interpret|clarify|understand)\s+(?:to me\s+|me\s+)?${THIS_QUERY}(?!\s+tables?)`,
      'i',
    ),
    /\bwhat (?:does|did|do) (?:(?:this|that|the|your|last|it)\s+)*(?:query|sql|statement|it|this|that) (?:do|compute|calculate|return|mean|show|count|say)\b/i,
    /\bhow (?:does|do|did) (?:(?:this|that|the|your)\s+)*(?:query|sql|statement|it|that) (?:work|get there|come about)\b/i,
    /\bhow (?:did|do) you (?:get|compute|calculate|arrive|work (?:it|this|that) out|come up)\b/i,
    /^(?:please\s+)?explain\s*(?:please|again|more|that again|in (?:plain|simple) (?:words|english|terms))?\s*[?.!]*$/i,
    /^(?:what (?:does|do) (?:that|this|it|you) mean|what do you mean|how so)\s*\??$/i,
  ],
  /** What the tables are that were shown. */
  tables: [
    /\b(?:explain|describe|tell me (?:more )?about|summari[sz]e)\s+(?:all (?:of )?)?(?:these|those|the|this|that|them)\s+(?:tables?|results|datasets?)\b/i,
    /\bwhat (?:are|is) (?:these|those|this|that) (?:tables?|datasets?)(?: (?:for|about))?\b/i,
    /^(?:explain|describe|tell me (?:more )?about) them\b/i,
    /\bdifference between (?:these|those|the) tables?\b/i,
  ],
  /** What a word means or a figure is made of. */
  concept: [
    /^what (?:does|do|did) .{1,80}? (?:mean|stand for|refer to|consist of|include|count as)\b(?!\s+\w+\s+\w+\s+\w+)/i,
    /\b(?:definition|meaning) of\b/i,
    /^(?:please\s+)?define\b/i,
    /^(?:can you\s+|could you\s+)?(?:explain|clarify)\s+(?:what\s+)?(?!plan\b)/i,
    /^what(?:['’]s| is) (?:meant by|an?\s)/i,
    /^what (?:is|are) .{1,80}? (?:made of|made up of|composed of|based on|computed from|derived from)\b/i,
    /^what (?:goes into|makes up|counts as|counts (?:for|towards))\b/i,
    /^how (?:is|are|was|were) .{1,80}? (?:calculated|computed|defined|measured|counted|derived|determined)\b/i,
    /^how (?:do|does|did) (?:you|we|one|they|candor) (?:calculate|compute|define|measure|count|derive)\b/i,
    /^what (?:is|are) (?:this|the) (?:database|data set|dataset|schema|data) (?:about|for)\b/i,
  ],
  /** What one table holds. */
  table: [
    /^(?:describe|explain|tell me (?:more )?about|what(?:['’]s| is) in|what(?:['’]s| is)|show (?:me )?the (?:columns|schema|structure) of|what does)\b/i,
    /^(?:which|what|list|show)(?: me)?(?: all)?(?: the)? (?:columns|fields|attributes)\b/i,
    /^(?:columns|fields|schema|structure) (?:of|in)\b/i,
  ],
  /** Which tables or columns hold something. */
  find: [
    /\b(?:which|what) (?:other )?(?:tables?|columns?|fields?|datasets?|views?)\b(?!\s+(?:sell|cost|sold|were|was)\b)/i,
    /\bwhere (?:is|are|do|does|can|could|would|should|might) .{0,80}?(?:stored|kept|saved|recorded|held|tracked|find|look for|get|live)\b/i,
    /\b(?:is|are) there (?:an?y?\s+|some\s+)?(?:tables?|data|columns?|datasets?|information|info|fields?) (?:for|about|on|with|of|that|which|where|to)\b/i,
    /\b(?:do|does) (?:we|you|the database|it|this) (?:have|hold|store|track|keep|contain|record) (?:an?y?\s+)?(?:tables?|data|columns?|information|info|fields?)\b/i,
    /^(?:please\s+)?(?:find|search|look|search for|look for|list|show)(?: me| for)?(?: all| the| any)*\s+(?:tables?|columns?|datasets?|data)\b/i,
    /^(?:what|which) (?:data|information) (?:do|does|is|are|can|have)\b/i,
    /^(?:tables?|columns?|datasets?) (?:for|about|on|with|of|that|related)\b/i,
    /^(?:i need|i am looking for|i'm looking for|looking for) (?:the |an? |some )?(?:tables?|columns?|datasets?|data)\b/i,
  ],
  useTable: [
    /^(?:and |but |ok |no,? |now )*(?:please )?(?:(?:can|could) you )?(?:use|take|try|query|read|go with|switch to) (?:only |just )?(?:the )?/i,
    /^(?:and |but |ok |no,? |now )*(?:from|with|over) (?:the )?(?:table )?[\w. ]+(?: table)? instead\b/i,
  ],
  changeTables: [
    /\b(?:change|choose|pick|select|switch|see|show) (?:the |other |different |me other |me the )*tables\b(?!\s+(?:for|about|with|that|of))/i,
    /\b(?:use|take|with|try) (?:all|other|different|more|fewer)(?: of)?(?: the)? tables\b/i,
    /\bwrong tables?\b/i,
    /\bnot (?:that|this|these|those|the right) tables?\b/i,
  ],
  dropTable: [/\b(?:without|leave out|drop|remove|skip|exclude|not)\s+(?:the )?/i],
  addTable: [/^(?:and |also |please )*(?:add|include|also use)\s+(?:the )?/i],
  shorten: [
    /\b(?:shorten|make (?:it|this|that|the query) (?:shorter|simpler|smaller)|simplify|simpler|shorter|fewer (?:rows|columns|lines)|too (?:long|many rows|much))\b/i,
    /^(?:and |but |only |just |show |show me |give me |the |limit (?:it |that |this )?to |(?:the )?first |top )*(?:the )?(?:first|top|limit(?: (?:it|that))? to)\s+(?:\d+|one|two|three|four|five|ten|twenty)\b(?:\s+(?:only|rows?|results?|of them|please))?\s*[?.!]*$/i,
  ],
  /** One more condition on what was asked. */
  narrow: [
    /^(?:and |but |now |ok |please |show )*(?:only|just|except|without|excluding|exclude|where|filter|not|limit (?:it|that|this) to|restrict|narrow)\b/i,
    /\bonly\s*[?.!]*$/i,
    /^(?:and |but |now )*(?:for|in|from|since|before|after|between|during|until|over|under|above|below|more than|less than|at least|at most|with|those|the ones)\b/i,
    /^(?:and |but |now )*(?:19|20)\d\d\s*[?.!]*$/,
    /\b(?:who|that|which) (?:are|is|have|has|were|was|live|lives|cost|come|comes)\b/i,
  ],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

export type TurnPhrase = keyof typeof TURN_PHRASES;

export function says(text: string, phrase: TurnPhrase): boolean {
  return TURN_PHRASES[phrase].some((pattern) => pattern.test(text));
}

/** Shorter ones are words of an answer as well as a question. */
const FEWEST_WORDS = 3;
/** So many words that mean nothing here are no answer to what was asked back either. */
const MANY_WORDS = 5;

/** Whether a text is a question of its own: the engine reads one in it, or refuses it for what it asks. */
export function standsAlone(text: string, session: Session, now: Date): boolean {
  const words = text.trim().split(/\s+/).length;
  if (words < FEWEST_WORDS) return false;
  try {
    const { kind } = explainQuestion(text, session, { now }).decision;
    return kind === 'reject' ? words >= MANY_WORDS : kind !== 'abstain';
  } catch (error) {
    if (error instanceof CandorError && error.stage === 'question') return false;
    throw error;
  }
}

/** Words that may stand around names of tables where nothing else is said. */
const AROUND = new Set(
  `a all an and are attributes both but by can columns contain contained contains could data describe do does explain fields
  for from give go has have hold holds i in instead inside is it just kept like list me more no not now of ok on only or out over please
  query read schema s show store stored stores structure switch tables table take tell that the their there these this those to try
  use used using want we what whats which with without would yes you add also include drop remove leave skip exclude about again`.split(
    /\s+/,
  ),
);

/** Whether a text names these tables, and says nothing but what one does with tables. */
export function saysNothingBut(
  text: string,
  tableIds: readonly string[],
  { tables }: Pick<Catalog, 'tables'>,
): boolean {
  const names = new Set(
    tables
      .filter(({ id }) => tableIds.includes(id))
      .flatMap(({ name }) => nameWords(name).flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')])),
  );
  return nameWords(text).every(
    (word) => AROUND.has(word) || names.has(word) || names.has(word.replace(/ies$/, 'y')),
  );
}
