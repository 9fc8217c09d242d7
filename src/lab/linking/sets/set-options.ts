export interface LinkSetOptions {
  /** Folder of the benchmark data. */
  readonly dataDirectory: string;
  /** Names of databases; absent: all. */
  readonly only?: ReadonlySet<string>;
  /**
   * What is told of columns beside names: `official` is what the benchmark ships, `tasql` what a language model wrote of
   * the columns of BIRD (TA-SQL), `none` names alone.
   */
  readonly descriptions?: 'official' | 'tasql' | 'none';
}
