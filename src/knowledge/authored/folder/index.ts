/** The files in which notes, areas and statuses are written. */

export { AREAS_FILE, checkAuthoredText, isNoteFile, readAuthored, STATUS_FILE } from './read-authored.ts';
export { setArea } from './set-area.ts';
export { type NewStatus, setStatus } from './set-status.ts';
