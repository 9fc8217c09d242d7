/** A figure about fewer rows than this could be a figure about one of them. */
export const LEAST_GROUP = 20;

/** Two digits that count: 12,345 → 12,000. Nothing of small groups: 19 → 0. */
export function roundedCount(count: number): number {
  return count < LEAST_GROUP ? 0 : roundedFigure(count);
}

export function roundedFigure(figure: number): number {
  return Number(figure.toPrecision(2));
}
