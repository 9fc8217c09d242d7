/** What became of every word of a question, and what may not be answered because of words that the query leaves out. */
import type { UnusedWords, WordUse } from '../answer.ts';
import { askAboutUnread, type Decision, type Request } from '../boundary/index.ts';
import { readQuery } from '../faults/index.ts';
import type { Reading } from '../reasoning/index.ts';
import type { Session } from '../session.ts';
import { accountForWords, tellingWords } from '../validation/index.ts';
import { schemaFactsOf } from './diagnosis-context.ts';

type Known = Pick<Session, 'catalog' | 'semantics'>;

/** When a question is asked, and what explains its words beside it. */
export interface AskedWhen {
  readonly now: Date;
  readonly hint?: string | undefined;
}

/** The ledger of a question over a query; undefined where the query cannot be read. */
export function wordsOf(
  question: string,
  sql: string,
  { catalog, semantics }: Known,
  { now, hint }: AskedWhen,
): readonly WordUse[] | undefined {
  const read = readQuery(sql, catalog.dialect, catalog);
  if (!read.ok) return undefined;
  const explained = hint === undefined ? [] : [hint];
  return accountForWords(question, read.query, { schema: schemaFactsOf(catalog), semantics, now, explained });
}

/** What is said to be unused, with what the ledger finds to be so. */
export function unusedWords(
  words: readonly WordUse[],
  said: readonly UnusedWords[] = [],
): readonly UnusedWords[] {
  const isSaid = ({ text }: WordUse): boolean =>
    said.some((one) => one.text.toLowerCase().includes(text.toLowerCase()));
  const found = tellingWords(words).filter((word) => !isSaid(word));
  return [...said, ...found.map(({ text, claim }) => ({ text, why: claim.why }))];
}

/** Readings that are looked at for one that uses every word. */
const MOST_READINGS = 4;

/**
 * A word that the ledger finds telling is not answered over: a reading that uses all of them is taken before a likelier one that
 * does not, and where there is none the words are asked about.
 */
export function gateByWords(
  readings: readonly Reading[],
  request: Request,
  session: Pick<Session, 'config' | 'knowledge' | 'values'> & Known,
  when: AskedWhen,
): Decision {
  const worth = readings
    .filter(({ probability }, at) => at === 0 || probability >= session.config.minProbability)
    .slice(0, MOST_READINGS);
  let best: readonly WordUse[] | undefined;
  for (const reading of worth) {
    const left = tellingWords(wordsOf(request.text, reading.sql, session, when) ?? []);
    if (left.length === 0)
      return { kind: 'sql', readings: [reading, ...readings.filter((one) => one !== reading)] };
    if (best === undefined || left.length < best.length) best = left;
  }
  return askAboutUnread(best ?? [], request, session, readings);
}
