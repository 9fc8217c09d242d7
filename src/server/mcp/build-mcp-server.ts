import { McpServer } from '@modelcontextprotocol/server';
import { VERSION } from '../../version.ts';
import { addPrompt } from './add-prompt.ts';
import { addResources } from './add-resources.ts';
import type { McpDesk } from './mcp-desk.ts';
import { addAskTool } from './tools/ask-tool.ts';
import { addExplainTool } from './tools/explain-tool.ts';
import { addLinkTool } from './tools/link-tool.ts';
import { addReviewTool } from './tools/review-tool.ts';
import { addSearchTool } from './tools/search-tool.ts';
import { addSqlTool } from './tools/sql-tool.ts';

/** One server for a connection, or for a request over HTTP: what they share lies on the desk. */
export function buildMcpServer(desk: McpDesk): McpServer {
  const server = new McpServer({ name: 'candor', version: VERSION });
  const bench = { server, desk };
  addAskTool(bench);
  addLinkTool(bench);
  addSearchTool(bench);
  addReviewTool(bench);
  if (desk.mayRunSql) addSqlTool(bench);
  addExplainTool(bench);
  addResources(bench);
  addPrompt(bench);
  return server;
}
