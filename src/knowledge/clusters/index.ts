/** Tables that are used together, from query logs. */

export { clusterReview, type ReviewedCluster } from './cluster-review.ts';
export { DEFAULT_CLUSTER_SETTINGS } from './cluster-tables.ts';
export { renewClustering } from './renew-clustering.ts';
export { chooseAreas, scopeOf } from './starting-tables.ts';
export type { StoredClusters } from './stored-clusters.ts';
