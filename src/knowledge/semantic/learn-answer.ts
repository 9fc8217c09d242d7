/** Writes what a question back was answered with into the semantic model, so that it is not asked again. */
import { basename, join } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import { CandorError } from '../../errors.ts';
import { changeFile } from '../files/authored-files.ts';
import { openYaml } from '../files/yaml-source.ts';
import { MODEL_EXTENSION, SEMANTIC_FILE } from './semantic-file.ts';

/** A file of its own: what people wrote stays as it is. */
export const LEARNED_FILE = 'learned.yml';

export type LearnedAnswer =
  /** The words stand for others, wherever they are said. */
  | { readonly as: 'synonym'; readonly term: string; readonly meaning: string }
  /** The option of that label is taken where the phrase would be asked about. */
  | { readonly as: 'default'; readonly phrase: string; readonly take: string };

const EMPTY = `# What candor knowledge learn wrote; yours to edit.
version: "0.2.0"
semantic_model:
  - name: learned
    datasets: []
    custom_extensions:
      - vendor_name: CANDOR
        data: {}
`;

/**
 * Adds the answer to `semantics/learned.yml` and returns the name of the file; an earlier answer about the same words is
 * replaced, comments stay. Throws `knowledge.refused` where the file has another form, `semantics.invalid` where it is
 * faulty already.
 */
export async function learnAnswer(directory: string, answer: LearnedAnswer): Promise<string> {
  const shown = `${basename(directory)}/${LEARNED_FILE}`;
  await changeFile(join(directory, LEARNED_FILE), shown, (text) => {
    if (text.trim() !== '') check(text, shown);
    const changed = withAnswer(text.trim() === '' ? EMPTY : text, answer, shown);
    check(changed, shown);
    return changed;
  });
  return shown;
}

function check(text: string, shown: string): void {
  const source = openYaml(text, shown);
  source.check(SEMANTIC_FILE, source.value, []);
}

const DATA = ['semantic_model', 0, 'custom_extensions', 0, 'data'] as const;

function withAnswer(text: string, answer: LearnedAnswer, shown: string): string {
  const document = parseDocument(text);
  const data = document.getIn(DATA, true);
  const known = MODEL_EXTENSION.safeParse(isMap(data) ? data.toJS(document) : undefined);
  if (!isMap(data) || !known.success)
    throw new CandorError('knowledge.refused', `${shown} has no data of CANDOR to add an answer to.`);
  data.flow = false;
  const { key, words, entry } = entryOf(answer);
  const list = data.get(key, true);
  const at = isSeq(list)
    ? list.items.findIndex((item) => isMap(item) && same(String(item.get(words) ?? ''), entry[words] ?? ''))
    : -1;
  if (!isSeq(list)) document.setIn([...DATA, key], document.createNode([entry]));
  else if (at < 0) list.add(document.createNode(entry));
  else document.setIn([...DATA, key, at], document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

interface Entry {
  readonly key: 'jargon' | 'answers';
  /** The member that tells what the entry is about. */
  readonly words: 'term' | 'phrase';
  readonly entry: Readonly<Record<string, string>>;
}

function entryOf(answer: LearnedAnswer): Entry {
  if (answer.as === 'synonym') {
    const { term, meaning } = answer;
    return { key: 'jargon', words: 'term', entry: { term, meaning } };
  }
  const { phrase, take } = answer;
  return { key: 'answers', words: 'phrase', entry: { phrase, take } };
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
