import type { Verdict } from '../../test/security/tenant-worlds.ts';
import type { TenantTable } from '../../test/security/two-tenants.ts';

/** What became of the queries that name a table of a kind. */
type KindCounts = Record<'named' | 'refused' | 'same' | 'noQuery' | 'different' | 'leaked', number>;
type KindRow = { engine: string; kind: string } & KindCounts;

const COUNTED = {
  ...{ same: 'same', refused: 'refused', 'no-query': 'noQuery', different: 'different', leaked: 'leaked' },
} as const satisfies Readonly<Record<Verdict['kind'], keyof KindCounts>>;

/** Counts queries that name a table which shows rows of others, by the kind of the table. */
export class KindCounter {
  readonly #engine: string;
  readonly #tables: readonly { readonly kind: string; readonly name: RegExp }[];
  readonly #rows = new Map<string, KindRow>();

  constructor(engine: string, tables: readonly TenantTable[]) {
    this.#engine = engine;
    this.#tables = tables.flatMap(({ name, made }) =>
      made === undefined ? [] : [{ kind: made.kind, name: new RegExp(`\\b${name}\\b`, 'i') }],
    );
  }

  /** Whether the query names one. */
  add(sql: string, verdict: Verdict): boolean {
    const kinds = new Set(this.#tables.flatMap(({ kind, name }) => (name.test(sql) ? [kind] : [])));
    for (const kind of kinds) {
      const none = { named: 0, refused: 0, same: 0, noQuery: 0, different: 0, leaked: 0 };
      const row = this.#rows.get(kind) ?? { engine: this.#engine, kind, ...none };
      this.#rows.set(kind, row);
      row.named += 1;
      row[COUNTED[verdict.kind]] += 1;
    }
    return kinds.size > 0;
  }

  rows(): readonly KindRow[] {
    return [...this.#rows.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }
}
