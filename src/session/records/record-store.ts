import { type DecisionRecord, pageRecords, type RecordPage, readRecord, writeRecord } from './record.ts';

/** Where a session keeps records of its answers: files of the project, or the state that several servers share. */
export interface RecordStore {
  /** Throws `record.not-writable`, and as the state does. */
  write(record: DecisionRecord): Promise<void>;
  /** A unique beginning or the last part of its id is enough. Throws `record.not-found`, `record.invalid`. */
  read(id: string): Promise<DecisionRecord>;
  /** Older than the one named `before`, the newest first. */
  page(wanted: WantedRecords): Promise<RecordPage>;
}

export interface WantedRecords {
  readonly most: number;
  readonly before?: string;
  /** Whom they were answered to; absent: anybody. */
  readonly reader?: string;
  readonly kind?: DecisionRecord['kind'];
}

/** Records as files under `directory/records`. */
export function recordFiles(directory: string): RecordStore {
  return {
    write: (record) => writeRecord(directory, record),
    read: (id) => readRecord(directory, id),
    page: ({ most, before, reader, kind }) =>
      pageRecords(directory, {
        most,
        ...(before !== undefined && { before }),
        isWanted: (record) =>
          (reader === undefined || record.reader === reader) && (kind === undefined || record.kind === kind),
      }),
  };
}
