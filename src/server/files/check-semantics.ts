/** A file of the semantic model together with the others: what would be wrong with the whole if it were saved. */
import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import {
  accessPolicyOf,
  checkSemanticModel,
  checkSemanticSql,
  readSemanticTexts,
  readTextFiles,
  SEMANTIC_NAMES,
  type SemanticModel,
} from '../../knowledge/index.ts';
import { readKnown, type Session } from '../../session.ts';
import { type FileProblem, problemAt } from './file-problem.ts';
import { placeSentence } from './place-sentence.ts';

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
