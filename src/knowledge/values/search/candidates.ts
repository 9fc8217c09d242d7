/** What finds stored texts that look like another one. */

export interface Candidate {
  readonly text: number;
  /** Of the 3-grams: exact, or estimated where the search says so. */
  readonly jaccard: number;
}

export interface CandidateSearch {
  /** The accepted texts most like the given one, best first, equally good ones by number. */
  nearest(text: string, limit: number, accepts: (text: number) => boolean): readonly Candidate[];
}

/** Keeps the best of what is offered, at most `limit`. */
export class BestCandidates {
  readonly #limit: number;
  readonly #accepts: (text: number) => boolean;
  readonly #best: Candidate[] = [];

  constructor(limit: number, accepts: (text: number) => boolean) {
    this.#limit = limit;
    this.#accepts = accepts;
  }

  /** What a further candidate must at least be like to be kept; 0 while there is room. */
  get floor(): number {
    return this.#best.length < this.#limit ? 0 : (this.#best.at(-1)?.jaccard ?? 0);
  }

  offer(text: number, jaccard: number): void {
    const last = this.#best.at(-1);
    const isFull = this.#best.length >= this.#limit;
    if (isFull && last !== undefined && !isBetter(jaccard, text, last)) return;
    if (this.#limit === 0 || !this.#accepts(text)) return;
    if (isFull) this.#best.pop();
    let at = this.#best.length;
    while (at > 0 && isBetter(jaccard, text, this.#best[at - 1])) at -= 1;
    this.#best.splice(at, 0, { text, jaccard });
  }

  list(): readonly Candidate[] {
    return this.#best;
  }
}

function isBetter(jaccard: number, text: number, other: Candidate | undefined): boolean {
  if (other === undefined) return false;
  return jaccard > other.jaccard || (jaccard === other.jaccard && text < other.text);
}
