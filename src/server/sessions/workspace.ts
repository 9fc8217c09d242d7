import type { Session } from '../../session/index.ts';
import type { SharedWorkspace } from '../shared/shared-workspace.ts';

/** Opens the project anew, as it stands on the disk now. */
export type Reopen = () => Promise<Session>;

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
