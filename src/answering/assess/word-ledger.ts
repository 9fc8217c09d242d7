/** What became of every word of a question, and what may not be answered because of words that the query leaves out. */
import type { UnusedWords, WordUse } from '../../answer.ts';
import { askAboutUnread, type Decision, type Request } from '../../boundary/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { Reading } from '../../reasoning/roles/reading.ts';
import type { Session } from '../../session/index.ts';
import { logit } from '../../uncertainty/index.ts';
import { accountForWords, tellingWords } from '../../validation/index.ts';
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
  known: Known,
  { now, hint = '' }: AskedWhen,
): readonly WordUse[] | undefined {
  const { catalog, semantics } = known;
  const place = JSON.stringify([question, sql, hint, now.getTime()]);
  const ledgers = ledgersOf(known);
  const before = ledgers.get(place);
  if (before !== undefined) return before;
  const read = readQuery(sql, catalog.dialect, catalog);
  if (!read.ok) return undefined;
  const explained = hint === '' ? [] : [hint];
  const words = accountForWords(question, read.query, {
    schema: schemaFactsOf(catalog),
    semantics,
    now,
    explained,
  });
  if (ledgers.size === MOST_READINGS) ledgers.clear();
  ledgers.set(place, words);
  return words;
}

type Ledgers = Map<string, readonly WordUse[]>;

/** The latest ones of a schema: the answer is built with the ledger that let it through. */
const LATEST = new WeakMap<
  Known['catalog'],
  { readonly semantics: Known['semantics']; readonly found: Ledgers }
>();

function ledgersOf({ catalog, semantics }: Known): Ledgers {
  const latest = LATEST.get(catalog);
  if (latest?.semantics === semantics) return latest.found;
  const found: Ledgers = new Map();
  LATEST.set(catalog, { semantics, found });
  return found;
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
/** What a word costs that a reading leaves out although it need not be in the query, in log-odds: about the best on Spider's training questions. */
const IDLE = 0.8;

/**
 * A word that the ledger finds telling is not answered over: a reading that uses all of them is taken before a likelier one that
 * does not, one that leaves out fewer of the others before one that is hardly likelier, and where there is none the words are
 * asked about.
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
  let fewest: readonly WordUse[] | undefined;
  let taken: { readonly reading: Reading; readonly odds: number } | undefined;
  for (const reading of worth) {
    const words = wordsOf(request.text, reading.sql, session, when) ?? [];
    const left = tellingWords(words);
    const idle = words.filter(({ claim }) => claim.kind === 'unused').length - left.length;
    const odds = logit(reading.probability) - IDLE * idle;
    if (left.length === 0 && (taken === undefined || odds > taken.odds)) taken = { reading, odds };
    // No reading behind one that leaves nothing out is better.
    if (left.length === 0 && idle === 0) break;
    if (fewest === undefined || left.length < fewest.length) fewest = left;
  }
  if (taken === undefined) return askAboutUnread(fewest ?? [], request, session, readings);
  const { reading } = taken;
  return { kind: 'sql', readings: [reading, ...readings.filter((one) => one !== reading)] };
}

/** Where no reading is likely enough, the words that none of them uses tell more than a probability does. */
export function tellUnread(
  decision: Extract<Decision, { readonly kind: 'abstain' }>,
  request: Request,
  session: Pick<Session, 'knowledge' | 'values'> & Known,
  when: AskedWhen,
): Decision {
  const [first, ...others] = decision.readings
    .slice(0, MOST_READINGS)
    .map(({ sql }) => tellingWords(wordsOf(request.text, sql, session, when) ?? []));
  const isNamed = ({ role }: WordUse): boolean => role === 'word' || role === 'name';
  const unread = (first ?? []).filter(
    (word) =>
      isNamed(word) && others.every((left) => left.some(({ span }) => span.start === word.span.start)),
  );
  return unread.length === 0 ? decision : askAboutUnread(unread, request, session, decision.readings);
}
