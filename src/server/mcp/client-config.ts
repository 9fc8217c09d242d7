export const MCP_CLIENTS = ['claude', 'cursor', 'vscode', 'generic'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

/** How a client starts Candor: what is pasted into its settings file. Clients differ in one key. */
export function clientConfig(client: McpClient, command: readonly string[]): object {
  const [program = 'candor', ...args] = command;
  const candor = { ...(client === 'vscode' && { type: 'stdio' }), command: program, args };
  return client === 'vscode' ? { servers: { candor } } : { mcpServers: { candor } };
}
