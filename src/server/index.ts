/** Candor over HTTP and as tools for agents. */
export { serveMcpStdio } from './mcp/serve-mcp-stdio.ts';
export { makeKey } from './people/access-key.ts';
export { type KeyInfo, PeopleStore, type User } from './people/people-store.ts';
export { PEOPLE_FILE, type RunningServer, type ServerSettings, startServer } from './start-server.ts';
