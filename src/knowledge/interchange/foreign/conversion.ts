/**
 * What every format is read into and written from: semantic files of the Open Semantic Interchange (the format of
 * `semantics/`), verified pairs and notes. What a format has and ours has no place for stays in `custom_extensions`
 * under the vendor's name, and comes back when the format is written again.
 */
import type { VerifiedPair } from '../../authored/examples.ts';
import type { FileModel } from '../../semantic/semantic-file.ts';

/** Something that the target cannot hold as it is. */
export interface Loss {
  /** `dropped`: it is gone; `approximated`: it means nearly the same; `kept`: carried along, without effect. */
  readonly kind: 'dropped' | 'approximated' | 'kept';
  /** Where in the source: `models/orders.yml:12:5`, `metrics.revenue`. */
  readonly place: string;
  readonly what: string;
}

/** What comes out of a foreign format, ready to be written into the project. */
export interface Imported {
  readonly models: readonly FileModel[];
  readonly examples: readonly Omit<VerifiedPair, 'file'>[];
  /** Notes in words, each with where it came from. */
  readonly notes: readonly { readonly text: string; readonly topic?: string; readonly place: string }[];
  readonly losses: readonly Loss[];
  /** Where things stand in the source, by kind and name: `metric revenue` → `models/orders.yml:12:5`. */
  readonly places?: ReadonlyMap<string, string>;
}

/** A file of a foreign format. */
export interface ForeignFile {
  /** Relative path, as messages show it. */
  readonly path: string;
  readonly text: string;
  /** Set where the bytes were no UTF-8 and were read as the format's `legacyEncoding`. */
  readonly encoding?: 'windows-1252';
}

export interface Exported {
  readonly files: readonly ForeignFile[];
  readonly losses: readonly Loss[];
}

/** What is written out: the project's own words. */
export interface ExportSource {
  readonly models: readonly FileModel[];
  readonly examples: readonly VerifiedPair[];
}

/** One format. `export` is absent where it can only be read. */
export interface InterchangeFormat {
  /** As typed on the command line: `cortex`. */
  readonly name: string;
  /** For help: `Snowflake Cortex Analyst semantic model (YAML)`. */
  readonly title: string;
  /** What bytes that are no UTF-8 are read as; without it such a file is refused at its first bad byte. */
  readonly legacyEncoding?: 'windows-1252';
  /** Bytes of the largest file that is read, where the format needs more than the usual 64 MB. */
  readonly largestFile?: number;
  /** Which files of a folder belong to it, relative paths with `/`. */
  accepts(path: string): boolean;
  /** Throws `interchange.invalid` with file, line, column and what is expected. */
  import(files: readonly ForeignFile[]): Imported;
  export?(source: ExportSource): Exported;
}
