/** Candor over HTTP and as tools for agents. */
export { clientConfig, MCP_CLIENTS, type McpClient } from './mcp/client-config.ts';
export { serveMcpStdio } from './mcp/serve-mcp.ts';
export { type RunningServer, type ServerSettings, startServer } from './start-server.ts';
