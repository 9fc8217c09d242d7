import type { Assumption, Related } from '../../answer.ts';
import { CandorError, type ErrorStage } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import { items, parse } from '../../sql/index.ts';

/** More would be a list to read rather than a help. */
const MOST = 3;
/** Below it a note may apply, from it on it is about what the question names (ThothAI, section 12). */
const STRONG_NOTE = 0.75;
/** Of the search index, the usage file, or the server that the settings name for the index. */
const OF_THE_INDEX: ReadonlySet<ErrorStage> = new Set(['store', 'usage', 'database']);

export interface FoundRelated {
  readonly related: readonly Related[];
  /** Why nothing could be searched. */
  readonly unsearched?: string;
}

/** The same, where an index or a server that cannot be used must not cost the answer, which is not made of it. */
export async function findRelatedIfAble(...given: Parameters<typeof findRelated>): Promise<FoundRelated> {
  try {
    return { related: await findRelated(...given) };
  } catch (error) {
    if (!(error instanceof CandorError) || !OF_THE_INDEX.has(error.stage)) throw error;
    return { related: [], unsearched: `${error.code}: ${error.message}` };
  }
}

/**
 * Verified pairs and notes that fit the question well, best first. Words alone decide: a sentence encoder would cost
 * more than the answer. Throws `store.*`.
 */
export async function findRelated(
  question: string,
  session: Session,
  signal: AbortSignal | undefined,
): Promise<readonly Related[]> {
  if (session.examples.length + session.authored.notes.length === 0) return [];
  const knowledge = await session.base.open();
  const { examples, notes } = await knowledge.retrieve({
    question,
    ...(signal === undefined ? {} : { signal }),
  });
  const pairs = examples
    .filter(({ item }) => !item.isWeak)
    .map(({ item: { pair }, score }) => ({
      score,
      related: { kind: 'verified-pair', text: pair.question, place: pair.file, sql: pair.sql } as const,
    }));
  const rules = notes
    .filter(({ score }) => score >= STRONG_NOTE)
    .map(({ item, score }) => ({
      score,
      related: { kind: 'note', text: item.text, place: item.place } as const,
    }));
  return [...pairs, ...rules]
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ related }) => related);
}

/** Which tables people trust and which they advise against, in words. */
type Known = Pick<Session, 'catalog' | 'authored'>;

/** `deprecated, use orders in its place: it stopped in May`; a replacement that is not in the catalog is not named. */
export function statusText(
  { status, why, replacedBy }: Known['authored']['statuses'][number],
  { tables }: Known['catalog'],
): string {
  const other = tables.find(({ id }) => id === replacedBy);
  const instead = other === undefined ? '' : `, use ${other.name} in its place`;
  return `${status}${instead}${why === undefined ? '' : `: ${why}`}`;
}

/** One for each deprecated table that a query reads. */
export function deprecatedTables(sql: string, { catalog, authored }: Known): readonly Assumption[] {
  const deprecated = authored.statuses.filter(({ status }) => status === 'deprecated');
  const parsed = deprecated.length === 0 ? undefined : parse(sql, catalog.dialect);
  if (parsed?.ok !== true) return [];
  const read = new Map(items(parsed.tree, catalog).tables.map(({ id, name }) => [id, name]));
  return deprecated.flatMap((said) => {
    const name = read.get(said.table);
    const text = `${name} is ${statusText(said, catalog).replace(/\.$/, '')}.`;
    return name === undefined ? [] : [{ kind: 'status', text } as const];
  });
}
