/** A file of the semantic model together with the others: what would be wrong with the whole if it were saved. */
import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { readTextFiles } from '../../knowledge/files/index.ts';
import {
  accessPolicyOf,
  checkSemanticModel,
  checkSemanticSql,
  readSemanticTexts,
  SEMANTIC_NAMES,
  type SemanticModel,
} from '../../knowledge/semantic/index.ts';
import { readKnown } from '../../onboarding/index.ts';
import type { Session } from '../../session/index.ts';
import { type FileProblem, problemAt } from './file-problem.ts';

export interface CheckedSemantics {
  readonly problems: readonly FileProblem[];
  /** The whole model as it would be. */
  readonly after: SemanticModel;
}

/**
 * Problems that the text brings or holds; those that other files have already are theirs. Without a text: as if the file were
 * deleted. Throws `semantics.invalid` for what cannot be read.
 */
export async function checkSemantics(
  name: string,
  text: string | undefined,
  session: Session,
): Promise<CheckedSemantics> {
  const shown = `semantics/${name}`;
  const { semanticsDirectory } = session.config;
  const files = await readTextFiles(semanticsDirectory, SEMANTIC_NAMES, 'semantics.invalid');
  const others = files.filter((file) => file.name !== name);
  const own = text === undefined ? undefined : { name, shown, text };
  const names = own === undefined ? [] : namesIn(readSemanticTexts([own]));
  const all =
    own === undefined ? others : [...others, own].sort((one, other) => (one.name < other.name ? -1 : 1));
  const after = readSemanticTexts(all);
  // Trusted views hide their tables from readers; the model may name them.
  const catalog =
    session.hiddenTables.size === 0 ? session.catalog : (await readKnown(session.config)).catalog;
  const known = new Set(sentencesOf(session.semantics, catalog));
  const problems = sentencesOf(after, catalog)
    .filter((sentence) => !known.has(sentence) || names.some((each) => ownerOf(sentence).includes(each)))
    .map((sentence) => problemAt({ ...placeSentence(sentence, text ?? '', names), message: sentence }));
  return { problems, after };
}

/** Whether anything restricts reading. */
export function hasPolicy({ datasets }: SemanticModel): boolean {
  return datasets.some(isRestricted);
}

/** What restricts reading, in one text: equal texts restrict alike. */
export function policyText({ datasets }: SemanticModel): string {
  return JSON.stringify(
    datasets
      .filter(isRestricted)
      .map(({ table, source, rowFilter, columnMasks, isTrustedView }) =>
        JSON.stringify([table, source, rowFilter, columnMasks, isTrustedView]),
      )
      .sort(),
  );
}

function isRestricted({
  rowFilter,
  columnMasks = {},
  isTrustedView,
}: SemanticModel['datasets'][number]): boolean {
  return rowFilter !== undefined || Object.keys(columnMasks).length > 0 || isTrustedView === true;
}

function sentencesOf(model: SemanticModel, catalog: Catalog): readonly string[] {
  return [
    ...checkSemanticModel(model, catalog),
    ...checkSemanticSql(model, catalog.dialect),
    ...policyFaults(() => accessPolicyOf(model, catalog)),
  ];
}

function policyFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof CandorError && error.code === 'semantics.invalid') return [error.message];
    throw error;
  }
}

/** The longest first: it is the one that a sentence means. */
function namesIn({
  datasets,
  relationships,
  metrics,
  dimensions,
  valueMappings,
}: SemanticModel): readonly string[] {
  const named = [...datasets, ...relationships, ...metrics, ...dimensions].map(({ name }) => name);
  const values = valueMappings.map(({ surface, value }) => surface[0] ?? String(value));
  return [...new Set([...named, ...values])].sort((one, other) => other.length - one.length);
}

/** `metric income: unknown column …` is about `metric income`. */
function ownerOf(sentence: string): string {
  const [owner = ''] = sentence.split(': ', 1);
  return owner;
}

/**
 * Where a sentence of `checkSemanticModel` or `checkSemanticSql` points in a file: at the word it complains of, looked for from
 * the thing on whose account it complains; else at that thing, else at the first line.
 */
function placeSentence(
  sentence: string,
  text: string,
  names: readonly string[],
): { readonly line: number; readonly column: number } {
  const lines = text.split('\n');
  const [head = ''] = sentence.split(': ', 1);
  const name = names.find((each) => head.includes(each));
  const isTwice = /stands twice|has two masks/.test(sentence);
  const start = name === undefined ? 0 : Math.max(0, lineNaming(lines, name, isTwice));
  const word = isTwice ? name : wordOf(sentence);
  const found = word === undefined ? undefined : findFrom(lines, word, start);
  if (found !== undefined) return found;
  const own = name === undefined ? -1 : (lines[start] ?? '').indexOf(name);
  return { line: start + 1, column: Math.max(0, own) + 1 };
}

/** `name: income`, `- name: "income"`; the last one where the name stands twice. */
function lineNaming(lines: readonly string[], name: string, isLast: boolean): number {
  const isNaming = (line: string): boolean => {
    const [, value = ''] = /\bname:\s*(.*)$/.exec(line) ?? [];
    return value.replace(/^["']/, '').startsWith(name);
  };
  const at = isLast ? lines.findLastIndex(isNaming) : lines.findIndex(isNaming);
  return at >= 0 ? at : lines.findIndex((line) => line.includes(name));
}

/** What it quotes, or the name that is unknown: its last part, since files leave out the rest. */
function wordOf(sentence: string): string | undefined {
  const quoted = /“([^”]+)”/.exec(sentence)?.[1];
  if (quoted !== undefined) return quoted.split('\n')[0];
  const name = /: (?:unknown [a-z]+ )?(\S+?)(?:;| is not a column|\.$)/.exec(sentence)?.[1];
  return name?.split('.').at(-1);
}

function findFrom(lines: readonly string[], word: string, start: number) {
  const wanted = word.toLowerCase();
  const line = lines.findIndex((each, at) => at >= start && each.toLowerCase().includes(wanted));
  if (line < 0) return undefined;
  return { line: line + 1, column: (lines[line] ?? '').toLowerCase().indexOf(wanted) + 1 };
}
