/**
 * Attributes of the conventions of OpenTelemetry, those for GenAI being experimental, and our own under `candor.`: kept here
 * rather than in a package, which weighs 10 MB.
 */
export const ATTRIBUTES = {
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',

  genAiOperation: 'gen_ai.operation.name',
  workflow: 'gen_ai.workflow.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',

  dbSystem: 'db.system.name',
  dbNamespace: 'db.namespace',
  dbOperation: 'db.operation.name',
  dbRows: 'db.response.returned_rows',
  /** Only where content is wanted. */
  dbText: 'db.query.text',

  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  urlScheme: 'url.scheme',

  stage: 'candor.stage',
  outcome: 'candor.outcome',
  reason: 'candor.reason',
  mode: 'candor.mode',
  record: 'candor.record.id',
  rows: 'candor.rows',
  errorProbability: 'candor.error_probability',
  intent: 'candor.intent',
  workspace: 'candor.workspace',
  /** Only where content is wanted. */
  question: 'candor.question',
} as const;
