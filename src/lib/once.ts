/** Something that many ask for and that is made once. */
export interface Once<Given extends readonly unknown[], Made> {
  /** Makes it at the first call, from what that call gives; what fails is tried again by the next who asks. */
  (...given: Given): Promise<Made>;
  /** What was made, or is being made; undefined where nobody has asked, or it has failed. */
  begun(): Promise<Made> | undefined;
  /** It is made anew for the next who asks. */
  forget(): void;
}

/** The one way to keep a promise for others: a rejected one is never kept. */
export function once<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Promise<Made>,
): Once<Given, Made> {
  let kept: Promise<Made> | undefined;
  const open = (...given: Given): Promise<Made> => {
    if (kept !== undefined) return kept;
    const begun: Promise<Made> = make(...given).catch((error: unknown) => {
      // Another may have been begun since, after `forget`.
      if (kept === begun) kept = undefined;
      throw error;
    });
    kept = begun;
    return begun;
  };
  return Object.assign(open, {
    begun: () => kept,
    forget: () => {
      kept = undefined;
    },
  });
}

/** Something that many may ask for and nobody may need, and that is closed where it was opened. */
export class OpenAtNeed<Opened extends { close(): Promise<void> }> {
  readonly #once: Once<[], Opened>;

  constructor(make: () => Promise<Opened>) {
    this.#once = once(make);
  }

  /** The same one for all. */
  open(): Promise<Opened> {
    return this.#once();
  }

  async close(): Promise<void> {
    const opened = await this.#once.begun()?.catch(() => undefined);
    this.#once.forget();
    await opened?.close();
  }
}
