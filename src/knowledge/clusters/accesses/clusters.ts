/** Soft clusters of tables from who reads what. Source: LinkedIn, section 4, algorithms 1 to 4. */

export interface TableCluster {
  readonly id: number;
  /** Best first; at least `N` of them where there are so many. */
  readonly tables: readonly { readonly tableId: string; readonly score: number }[];
}

export interface UserClusters {
  readonly user: string;
  /** Most used first; weight = runs on tables of the cluster. */
  readonly clusters: readonly { readonly id: number; readonly weight: number }[];
}

export interface ClusterSettings {
  readonly minTotal: number;
  readonly minUsers: number;
  readonly minTablesPerUser: number;
  /** Tables of a cluster at least (N). */
  readonly size: number;
  /** Components (C); absent: from the number of tables. */
  readonly components?: number;
  readonly seed: number;
}

export interface Clustering {
  readonly settings: ClusterSettings;
  readonly clusters: readonly TableCluster[];
  readonly users: readonly UserClusters[];
  /** Day of the newest access it was made of. */
  readonly at: string;
  /** Why there are no clusters: too few tables or users. */
  readonly skipped?: string;
  /** What the scores of a table come of; absent where there are no clusters. */
  readonly model?: ClusterModel;
  /** No start settled within the iterations; the best one was taken. */
  readonly isUnsettled?: true;
}

/** Scores of a table: Σ log1p(runs of a user) · weights of the user, less the centre. */
export interface ClusterModel {
  readonly components: number;
  readonly users: readonly string[];
  /** Row-major, users × components. */
  readonly weights: Float32Array;
  readonly centre: Float32Array;
}

/** The tables a session starts from, and why. */
export interface Scope {
  /** Canonical ids; absent: every table that is not deprecated. */
  readonly tables?: ReadonlySet<string>;
  readonly because: string;
}
