// Apart from the command, which starts a server: the web chat shows the same configurations, in a browser.

/** Programs that know where to find MCP servers by a JSON file, and where they look for it. */
export const MCP_CLIENTS = ['claude', 'cursor', 'vscode', 'generic'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

/** How a client reaches the server: a program to start, or an address. */
export type McpReach =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** Where the configuration is pasted. */
export const MCP_CONFIG_PLACES: Readonly<Record<McpClient, string>> = {
  claude: '.mcp.json of a project (Claude Code), or claude_desktop_config.json (Claude Desktop)',
  cursor: '.cursor/mcp.json of a project, or ~/.cursor/mcp.json',
  vscode: '.vscode/mcp.json of a project',
  generic: 'wherever your client lists its servers',
};

/** The configuration of one client, ready to paste. */
export function mcpClientConfig(client: McpClient, name: string, reach: McpReach): unknown {
  const isHttp = 'url' in reach;
  switch (client) {
    case 'claude':
      return { mcpServers: { [name]: isHttp ? { type: 'http', ...reach } : { type: 'stdio', ...reach } } };
    case 'cursor':
      return { mcpServers: { [name]: reach } };
    case 'vscode':
      return { servers: { [name]: { type: isHttp ? 'http' : 'stdio', ...reach } } };
    case 'generic':
      return { name, transport: isHttp ? 'streamable-http' : 'stdio', ...reach };
  }
}
