/** A file of a bundle, by the hashes of its parts. */
export interface SentFile {
  readonly path: string;
  bytes: number;
  readonly chunks: string[];
}

/** Files that tell of one another: where one of them is another, all of them are. */
const TOGETHER = /^(?:manifest\.json|tables\.jsonl|values\.[^/]+)$/;

/**
 * What a folder holds that was made of `base`, over what others have made of it meanwhile (`newest`): a file is theirs where it is here
 * as it was, and gone where one side has removed it. Ordered by path.
 */
export function mergeFiles(
  ours: readonly SentFile[],
  base: readonly SentFile[],
  newest: readonly SentFile[],
): readonly SentFile[] {
  const [mine, before, theirs] = [ours, base, newest].map(byPath) as [Files, Files, Files];
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])].sort();
  const isChanged = (path: string): boolean => textOf(mine.get(path)) !== textOf(before.get(path));
  const known = [...new Set([...paths, ...before.keys()])];
  const areTogetherOurs = known.some((path) => TOGETHER.test(path) && isChanged(path));
  return paths.flatMap((path) => {
    const isOurs = TOGETHER.test(path) ? areTogetherOurs : isChanged(path);
    return (isOurs ? mine : theirs).get(path) ?? [];
  });
}

type Files = ReadonlyMap<string, SentFile>;

function byPath(files: readonly SentFile[]): Files {
  return new Map(files.map((file) => [file.path, file]));
}

function textOf(file: SentFile | undefined): string {
  return file === undefined ? '' : file.chunks.join();
}
