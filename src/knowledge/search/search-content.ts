/** From a document as it comes to what both stores keep of it. */
import { createHash } from 'node:crypto';
import { CandorError } from '../../errors.ts';
import { DOCUMENT_KINDS, type DocumentKind, type SearchDocument } from './search-store.ts';

/** A text that several documents may share. */
export interface SearchContent {
  /** SHA-256 over title and body. */
  readonly hash: string;
  readonly title: string;
  readonly body: string;
}

export interface PreparedDocument {
  readonly kind: DocumentKind;
  readonly id: string;
  /** Canonical ids in order, as JSON: equal exactly when the tables are. */
  readonly tables: string;
  readonly content: SearchContent;
}

const LONGEST_ID = 2_000;
/** Of title and body each; what describes more than that is no description. */
const LONGEST_TEXT = 1_000_000;

/**
 * Checks the document and brings its text into a form that every database can keep: no NUL, no half characters.
 * Throws `store.document-invalid` for a kind that is not synchronised, and for an id or text that cannot be kept.
 */
export function prepareDocument(document: SearchDocument, kinds: readonly DocumentKind[]): PreparedDocument {
  const { kind, id, tableIds } = document;
  if (!kinds.includes(kind)) throw invalid(document, `only ${kinds.join(', ')} are brought up to date here`);
  for (const name of [id, ...tableIds])
    if (name === '' || name.length > LONGEST_ID || name !== storable(name))
      throw invalid(document, `an id is empty, too long or holds signs that cannot be kept: ${shown(name)}`);
  const title = storable(document.title);
  const body = storable(document.body);
  const length = Math.max(title.length, body.length);
  if (length > LONGEST_TEXT)
    throw invalid(document, `its text has ${length} characters, most are ${LONGEST_TEXT}`);
  const hash = createHash('sha256').update(`${title}\0${body}`).digest('hex');
  const tables = JSON.stringify([...new Set(tableIds)].sort());
  return { kind, id, tables, content: { hash, title, body } };
}

/** The text that stands for a content before an encoder of sentences. */
export function contentText({ title, body }: Pick<SearchContent, 'title' | 'body'>): string {
  return body === '' ? title : `${title}: ${body}`;
}

export function twiceGiven(kind: string, id: string): CandorError {
  return new CandorError('store.document-invalid', `two documents of kind ${kind} have the id ${shown(id)}`);
}

/** The ids of a prepared document's tables. */
export function readTableIds(tables: string): readonly string[] {
  const ids: unknown = JSON.parse(tables);
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** A count of nothing, to be filled. */
export function noDocuments(): Record<DocumentKind, number> {
  return { table: 0, column: 0, note: 0, example: 0, metric: 0, dimension: 0, jargon: 0 };
}

/** A kind as it was read from a store. */
export function readKind(text: unknown): DocumentKind {
  const kind = DOCUMENT_KINDS.find((known) => known === text);
  if (kind === undefined)
    throw new CandorError('store.unusable', `the kind ${shown(String(text))} is not known`);
  return kind;
}

function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, ' ');
}

function invalid({ kind, id }: SearchDocument, reason: string): CandorError {
  return new CandorError('store.document-invalid', `the ${kind} ${shown(id)} cannot be indexed: ${reason}`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
