/** Candor over HTTP and as tools for agents. */
export { serveMcpStdio } from './mcp/serve-mcp-stdio.ts';
export { makeKey } from './people/access-key.ts';
export { AuditLog } from './people/audit-log.ts';
export { PeopleStore } from './people/people-store.ts';
export { pathOfWorkspace, type Workspace } from './sessions/workspace.ts';
export {
  type MovedProject,
  type ProjectMove,
  pullProject,
  pushProject,
} from './shared/move-project.ts';
export { openInstallation, type SharedInstallation } from './shared/shared-installation.ts';
export type { SharedWork } from './shared/shared-work.ts';
export { type RunningServer, startServer } from './start/start-server.ts';
export { openServerState } from './state/open-server-state.ts';
export type { ServerState } from './state/server-state.ts';
