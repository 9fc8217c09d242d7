import type { Session } from '../session.ts';
import type { Reopen } from './session-desk.ts';
import type { SharedWorkspace } from './shared/shared-workspace.ts';

/** A project that a server serves. */
export interface Workspace {
  /** Empty for the project that the server was started in. */
  readonly name: string;
  readonly session: Session;
  /** Opens the project anew once its files have changed; absent: they are read at the start alone. */
  readonly reopen?: Reopen;
  /** Where several servers serve it: files and derived data of all of them. */
  readonly shared?: SharedWorkspace;
}

/** `pathOfWorkspace('hr')` → `/w/hr/`, and `/` for the project that the server was started in. */
export function pathOfWorkspace(name: string): string {
  return name === '' ? '/' : `/w/${name}/`;
}
