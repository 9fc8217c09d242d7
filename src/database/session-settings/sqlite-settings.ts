import { pinned, type SessionSetting } from './session-setting.ts';

/** As PRAGMA, right after the file is opened; the text of a statement cannot set any. */
export const SQLITE_SETTINGS: readonly SessionSetting[] = [
  pinned('case_sensitive_like', 'OFF', 'ON: LIKE tells A from a'),
  pinned('reverse_unordered_selects', 'OFF', 'ON: rows without ORDER BY come in the other order'),
  pinned('short_column_names', 'ON', 'how columns without a name of their own are called'),
  pinned('full_column_names', 'OFF', 'how columns without a name of their own are called'),
  pinned('cell_size_check', 'ON', 'OFF: a damaged page may be read as if it were sound'),
  pinned('ignore_check_constraints', 'OFF', 'ON: damage of stored values is not found'),
];
