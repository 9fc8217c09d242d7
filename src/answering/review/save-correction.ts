/** Keeps what a person put in the place of a query, for `candor train uncertainty` to learn from. */
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { certainFaults, type SchemaFacts } from '../../faults/index.ts';
import { type ReadQuery, readQuery } from '../../faults/reading/index.ts';
import { addEdit, EDITS_FILE } from '../../knowledge/authored/index.ts';
import type { Session } from '../../session/index.ts';
import { checkReadOnly, normalKey } from '../../sql/index.ts';
import { resolverFromScopes } from '../../sql/normal/index.ts';
import { textOf } from '../../sql/tree/index.ts';

export interface NewEdit {
  readonly question: string;
  readonly hint?: string;
  readonly sql: string;
  readonly corrected: string;
  readonly at: Date;
}

export interface StoredAs {
  /** As people see it: `knowledge/edits.jsonl`. */
  readonly file: string;
  /** False: the same edit was there already. */
  readonly isNew: boolean;
}

/**
 * Both queries must parse and only read, and the corrected one must be without anything the engine would refuse; that the
 * first one is wrong is the point. Throws `review.refused`, and what writing throws (`knowledge.*`).
 */
export async function saveCorrection(
  { question, hint, sql, corrected, at }: NewEdit,
  { catalog, config }: { readonly catalog: Session['catalog']; readonly config: Config },
  schema: SchemaFacts,
): Promise<StoredAs> {
  const before = readOrRefuse(sql, 'the query', catalog);
  const after = readOrRefuse(corrected, 'the corrected query', catalog);
  const fault = certainFaults(after, schema).find(({ isRefused }) => isRefused);
  if (fault !== undefined) throw refused(`the corrected query would not run: ${fault.text}`);
  if (keyOf(before) === keyOf(after)) throw refused('both queries say the same');
  const isNew = await addEdit(config.knowledgeDirectory, {
    question,
    ...(hint !== undefined && { hint }),
    sql: statementOf(before),
    corrected: statementOf(after),
    at: at.toISOString(),
    ...(config.user !== undefined && { by: config.user }),
  });
  return { file: `knowledge/${EDITS_FILE}`, isNew };
}

function readOrRefuse(sql: string, which: string, catalog: Session['catalog']): ReadQuery {
  const read = readQuery(sql, catalog.dialect, catalog);
  if (!read.ok) {
    const place = read.error === undefined ? '' : ` (line ${read.error.line}, column ${read.error.column})`;
    throw refused(`${which} ${read.because === 'too large' ? 'is too large' : read.because}${place}`);
  }
  const verdict = checkReadOnly(read.query.tree);
  if (!verdict.readOnly) throw refused(`${which}: ${verdict.reason}`);
  return read.query;
}

/** Without what ends it or stands around it: with a semicolon it is no other correction. */
function statementOf({ tree }: ReadQuery): string {
  return textOf(tree, tree.root);
}

function keyOf({ tree, scopes }: ReadQuery): string {
  return normalKey(tree, { resolve: () => resolverFromScopes(scopes) });
}

function refused(because: string): CandorError {
  return new CandorError('review.refused', `Not stored: ${because}.`);
}

/**
 * What stands in `merged` where `question` has the phrase; undefined where something else differs too, or where the new words
 * hold the phrase again and could not stand for it.
 */
export function replacedWords(question: string, merged: string, phrase: string): string | undefined {
  const at = question.toLowerCase().indexOf(phrase.toLowerCase());
  if (at < 0 || phrase === '') return undefined;
  const [before, after] = [question.slice(0, at), question.slice(at + phrase.length)];
  const end = after.replace(/[?.!\s]+$/, '');
  const body = merged.replace(/[?.!\s]+$/, '');
  if (!body.toLowerCase().startsWith(before.toLowerCase()) || !body.endsWith(end)) return undefined;
  const words = body.slice(before.length, body.length - end.length).trim();
  const isOver = words === '' || words.toLowerCase().includes(phrase.toLowerCase());
  return isOver ? undefined : words;
}
