import { readTextFiles } from '../files/authored-files.ts';
import { openYaml } from '../files/yaml-source.ts';
import { type FileModel, SEMANTIC_FILE } from '../semantic/semantic-file.ts';

/**
 * The models of a folder of semantic files as they are written, every vendor's block included: what exports start
 * from. A fault throws `semantics.invalid` with its place.
 */
export async function readModelFiles(directory: string): Promise<FileModel[]> {
  const files = await readTextFiles(directory, /\.ya?ml$/, 'semantics.invalid');
  return files.flatMap(({ text, shown }) => {
    const source = openYaml(text, shown);
    // A file of comments only is a model still to be written.
    if (source.value === null || source.value === undefined) return [];
    return source.check(SEMANTIC_FILE, source.value, []).semantic_model;
  });
}
