/** Something that many may ask for and nobody may need. */
export class OpenAtNeed<Opened extends { close(): Promise<void> }> {
  readonly #make: () => Promise<Opened>;
  #opened: Promise<Opened> | undefined;

  constructor(make: () => Promise<Opened>) {
    this.#make = make;
  }

  /** The same one for all; what fails is tried again by the next who asks. */
  open(): Promise<Opened> {
    this.#opened ??= this.#make().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.close();
  }
}
