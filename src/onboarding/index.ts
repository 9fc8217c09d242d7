export { connectProject } from './connect-project.ts';
export { refreshClusters } from './index-knowledge.ts';
export {
  type ClusterSources,
  catalogFingerprintOf,
  readClusterSources,
  readKnowledgeSources,
} from './knowledge-sources.ts';
export { openKnownLake, openLakeOf, refreshLake } from './lake-file.ts';
export { type OnboardEvent, type Onboarded, onboard, readEvidence, readOnboarded } from './onboard.ts';
export { type OnboardedProject, onboardProject } from './onboard-project.ts';
export { readEngineLogs } from './read-engine-logs.ts';
export { readCatalog, readKnown } from './read-known.ts';
export { withLogCatalog } from './with-log-catalog.ts';
