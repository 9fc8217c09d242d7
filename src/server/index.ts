/** Candor over HTTP and over the Model Context Protocol. */
export { serveMcpStdio } from './mcp/serve-mcp-stdio.ts';
export { type RunningServer, type ServerSettings, startServer } from './start-server.ts';
