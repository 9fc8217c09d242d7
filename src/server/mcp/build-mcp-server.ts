import { McpServer } from '@modelcontextprotocol/server';
import { VERSION } from '../../version.ts';
import { addAnalysePrompt } from './analyse-prompt.ts';
import type { McpParts } from './mcp-parts.ts';
import { ORIENT } from './orient.ts';
import { addKnowledgeResource } from './resources/knowledge-resource.ts';
import { addSemanticsResource } from './resources/semantics-resource.ts';
import { addTableResource } from './resources/table-resource.ts';
import { addAskTool } from './tools/ask-tool.ts';
import { addExplainAnswerTool } from './tools/explain-answer-tool.ts';
import { addLinkSchemaTool } from './tools/link-schema-tool.ts';
import { addReviewSqlTool } from './tools/review-sql-tool.ts';
import { addRunSqlTool } from './tools/run-sql-tool.ts';
import { addSearchCatalogTool } from './tools/search-catalog-tool.ts';

/** A server of the Model Context Protocol for one connection or one request; opening it costs nothing. */
export function buildMcpServer(parts: McpParts): McpServer {
  const { session } = parts;
  const server = new McpServer(
    { name: 'candor', title: 'Candor', version: VERSION },
    { instructions: ORIENT },
  );
  addAskTool(server, parts);
  addLinkSchemaTool(server, parts);
  addSearchCatalogTool(server, parts);
  addReviewSqlTool(server, parts);
  if (parts.mayRunSql) addRunSqlTool(server, parts);
  addExplainAnswerTool(server, parts);
  addSemanticsResource(server, session);
  addTableResource(server, session.catalog);
  addKnowledgeResource(server, session);
  addAnalysePrompt(server);
  return server;
}
