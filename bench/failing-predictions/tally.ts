/** What is counted of the predictions of one part of a set. */
export class Tally {
  predictions = 0;
  /** The engine refuses it for a name. */
  refused = 0;
  /** Of those, we report a name that is wrong. */
  found = 0;
  /** Of those, the name that the engine gives is among ours. */
  sameName = 0;
  /** The engine would run it, and we report a name. */
  falseAlarms = 0;
  executable = 0;
  /** Executable ones on a database with rows whose gold runs. */
  judged = 0;
  right = 0;
  /** Those that rules do not make executable and that whole queries are offered for. */
  offered = 0;
  /** Of those on a database with rows whose gold runs: how many, where the first offer is right, where any is. */
  offersJudged = 0;
  firstRight = 0;
  anyRight = 0;
  offers = 0;
  checkMs = 0;
  repairMs = 0;

  row(part: string): Readonly<Record<string, string | number>> {
    const share = (one: number, all: number) => (all === 0 ? 0 : (100 * one) / all);
    return {
      part,
      predictions: this.predictions,
      refused: this.refused,
      recall: share(this.found, this.refused),
      precision: share(this.found, this.found + this.falseAlarms),
      sameName: share(this.sameName, this.refused),
      executable: share(this.executable, this.refused),
      judged: this.judged,
      right: share(this.right, this.judged),
      offered: share(this.offered, this.refused),
      offersEach: this.offers / Math.max(1, this.offered),
      offersJudged: this.offersJudged,
      firstRight: share(this.firstRight, this.offersJudged),
      anyRight: share(this.anyRight, this.offersJudged),
      checkMs: this.checkMs / Math.max(1, this.predictions),
      repairMs: this.repairMs / Math.max(1, this.refused),
    };
  }
}
