/** What query logs tell of tables and columns. */

export { type IngestedDays, ingestEngineLog, isOfEngine } from './engine-log/ingest-engine-log.ts';
export { LOG_FORMATS, type LogFormatName } from './logs/log-formats.ts';
export { keepPopularity, readUsage, type WindowUsage } from './read-usage.ts';
export type { LogCatalog } from './state/entry-counter.ts';
export { type LogCounts, rejectedIn } from './state/entry-counter.ts';
export { ingestLive, type LiveIngested } from './state/ingest-live.ts';
export { type IngestedLog, ingestLogs } from './state/ingest-logs.ts';
export { writeRejected } from './state/run-writer.ts';
export { hasIngested, openUsageFile } from './state/usage-file.ts';
export { usageNotes } from './usage-notes.ts';
