import type { Reading } from '../../reasoning/index.ts';
import { readingOf } from './reading-of.ts';
import type { TalkContext } from './talk-context.ts';

/** What can be told in place of a cause or a forecast. */
export interface Past {
  readonly questions: readonly string[];
  /** The last day in the tables that they read, as YYYY-MM-DD. */
  readonly end: string | undefined;
}

const MOST = 3;
const MOST_DIMENSIONS = 8;
const ASKING =
  /^(?:and |but |so |ok |please |can you |could you |explain |tell me )*(?:why|how come|for what reason|what (?:caused|explains|is causing|led to|drove)|what (?:is|was|are|were) the (?:reasons?|causes?) (?:why|that|for)|predict|forecast|extrapolate|what (?:will|would)|how (?:much|many))\b\s*/i;
const HELPERS =
  /\b(?:did|does|do|is|are|was|were|has|have|had|will|would|shall|be|we|our|so|such|the|a|an|there)\b/gi;
const TRENDS =
  /\b(?:drop(?:ped|ping)?|fall(?:ing|en)?|fell|decline[ds]?|declining|decrease[ds]?|decreasing|shrink(?:ing)?|shrank|rise|rose|rising|risen|increase[ds]?|increasing|grow(?:ing|n|th)?|grew|jump(?:ed)?|spike[ds]?|go(?:ne|ing)?|went|up|down|higher|lower|worse|better|high|low|more|fewer|less|much|many|sell|get|reach|happen(?:ed)?|change[ds]?)\b/gi;
const WHEN =
  /\b(?:in|for|during|by|until|over|from|since)?\s*(?:(?:the )?(?:next|last|this|coming|following|future) (?:\w+ )?(?:years?|quarters?|months?|weeks?|days?)|tomorrow|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:19|20)\d\d|q[1-4])\b/gi;

/** Questions about what a question is about that have an answer here: as it is, by month, and by what splits it. */
export function pastOf(question: string, context: TalkContext): Past {
  const about = plain(question.replace(ASKING, '').replace(HELPERS, ' ').replace(TRENDS, ' '));
  const subject = plain(about.replace(WHEN, ' '));
  if (subject === '') return { questions: [], end: undefined };
  const dimensions = context.session.semantics.dimensions.filter(({ isTime }) => !isTime);
  const subjects = [subject, `number of ${subject}`, `total ${subject}`];
  const candidates = subjects.flatMap((one) => [
    `${one} by month`,
    ...dimensions.slice(0, MOST_DIMENSIONS).map(({ name }) => `${one} by ${name}`),
    `${one} by year`,
    one,
  ]);
  const found: { question: string; reading: Reading }[] = [];
  for (const candidate of candidates) {
    if (found.length >= MOST) break;
    const reading = readingOf(candidate, context);
    if (reading !== undefined && !found.some((one) => one.reading.sql === reading.sql))
      found.push({ question: candidate, reading });
  }
  return { questions: found.map((one) => one.question), end: endOf(found[0]?.reading, context) };
}

function plain(text: string): string {
  return text
    .replace(/[?!.,]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The largest date, up to now, in the tables that a reading takes its rows from. */
function endOf(reading: Reading | undefined, { session, now }: TalkContext): string | undefined {
  if (reading === undefined || reading.query.kind !== 'select') return undefined;
  const read = new Set(
    [reading.query.from, ...reading.query.joins.map(({ table }) => table)].map(({ table }) =>
      table.toLowerCase(),
    ),
  );
  const today = now.toISOString().slice(0, 10);
  const ends = session.catalog.tables
    .filter(({ id, name }) => read.has(id) || read.has(name.toLowerCase()))
    .flatMap(({ columns }) => columns.flatMap(({ profile }) => profile?.max?.slice(0, 10) ?? []))
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day) && day <= today);
  return ends.toSorted().at(-1);
}
