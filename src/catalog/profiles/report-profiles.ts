import type { Catalog, Pii, Table } from '../schema/catalog.ts';

/** What a reader of the figures should know of how they came about. */
export interface ProfileReport {
  /** Columns about persons or secret, withheld ones first. */
  readonly pii: readonly ({ readonly columnId: string } & Pii)[];
  /** Tables without profiles. */
  readonly skipped: readonly {
    readonly tableId: string;
    readonly because: NonNullable<Table['skippedBecause']>;
  }[];
  /** Tables whose figures are of a part of their rows only. */
  readonly sampled: readonly {
    readonly tableId: string;
    readonly scannedRows: number;
    readonly rowCount: number;
  }[];
}

/** Sensitive columns, skipped tables and sampled ones of a catalog, in its order. */
export function reportProfiles({ tables }: Catalog): ProfileReport {
  const pii = tables.flatMap(({ columns }) =>
    columns.flatMap(({ id, profile }) =>
      profile?.pii === undefined ? [] : [{ columnId: id, ...profile.pii }],
    ),
  );
  return {
    pii: pii.toSorted((a, b) => Number(b.isWithheld) - Number(a.isWithheld)),
    skipped: tables.flatMap(({ id, skippedBecause }) =>
      skippedBecause === undefined ? [] : [{ tableId: id, because: skippedBecause }],
    ),
    sampled: tables.flatMap(({ id, rowCount, columns }) => {
      const counted = columns.map(({ profile }) => profile?.countedRows ?? rowCount);
      const scannedRows = Math.min(rowCount, ...counted);
      return scannedRows < rowCount ? [{ tableId: id, scannedRows, rowCount }] : [];
    }),
  };
}
