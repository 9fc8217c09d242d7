import type { Config } from '../../config/index.ts';
import { openBundleState, type SharedState } from '../../store/index.ts';
import { openServerState } from '../state/open-server-state.ts';
import type { ServerState } from '../state/server-state.ts';
import { SharedWork } from './shared-work.ts';
import { SharedWorkspace } from './shared-workspace.ts';

/** What several servers have in common: `server.state` in PostgreSQL. */
export interface SharedInstallation {
  readonly state: ServerState;
  /** A workspace with its copies up to date. Throws as the state does, and what `derive` throws. */
  open(workspace: string, own: Config, derive: (config: Config) => Promise<void>): Promise<SharedWorkspace>;
  /** A workspace for who does its jobs. Throws as the state does. */
  work(workspace: string, own: Config): Promise<SharedWork>;
  close(): Promise<void>;
}

/** Undefined where the state of the server is a file: it is alone. `close` it. Throws `store.unusable`, and as connecting does. */
export async function openInstallation(config: Config): Promise<SharedInstallation | undefined> {
  const url = config.server.state;
  if (url === undefined) return undefined;
  const state = await openServerState(config);
  let shared: SharedState;
  try {
    shared = await openBundleState(url);
  } catch (error) {
    await state.close();
    throw error;
  }
  return {
    state,
    async open(workspace, own, derive) {
      const opened = new SharedWorkspace({ state, shared, workspace, own, derive });
      await opened.begin();
      return opened;
    },
    work: (workspace, own) => SharedWork.begin({ state, shared, workspace, own }),
    async close() {
      await shared.close();
      await state.close();
    },
  };
}
