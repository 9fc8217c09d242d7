/** Candor over HTTP and as tools for agents. */
export { serveMcpStdio } from './mcp/serve-mcp-stdio.ts';
export { AuditLog } from './people/audit-log.ts';
export { makeKey, PeopleStore } from './people/people-store.ts';
export { pathOfWorkspace, type Workspace } from './sessions/project-sessions.ts';
export {
  type MovedProject,
  type ProjectMove,
  pullProject,
  pushProject,
} from './shared/move-project.ts';
export type { SharedWork } from './shared/shared-work.ts';
export { openInstallation, type SharedInstallation } from './shared/shared-workspace.ts';
export { type RunningServer, startServer } from './start/start-server.ts';
export { sharedThumbs } from './state/chat-store.ts';
export type { ServerState } from './state/open-server-state.ts';
export { openServerState } from './state/open-server-state.ts';
