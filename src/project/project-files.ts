/** The text of a new `candor.yml`. */
export function settingsText(databaseUrl: string): string {
  return `# Candor project. Every key: docs/reference/config.md. Secrets as \${VARIABLE}, taken from the environment.
database: ${JSON.stringify(databaseUrl)}

# limits:
#   rows: 1000          # rows kept of a result
#   bytes: 10000000     # bytes of all kept cells
#   timeoutMs: 30000    # a query is stopped after this
# minProbability: 0.5   # abstain below this
`;
}

/** What a new project holds beside \`candor.yml\`: starts that explain themselves and change nothing yet. */
export const PROJECT_FILES: readonly { readonly path: string; readonly text: string }[] = [
  {
    path: 'semantics/model.yml',
    text: `# The business words of your database, as Open Semantic Interchange YAML.
# Format and every key: docs/guides/semantic-model.md. Take the # away to start.
#
# semantic_model:
#   - name: shop
#     datasets:
#       - name: orders
#         source: orders
#         primary_key: [id]
#     metrics:
#       - name: order count
#         expression:
#           dialects: [{ dialect: ANSI_SQL, expression: COUNT(orders.id) }]
#         ai_context: { synonyms: [number of orders] }
`,
  },
  {
    path: 'knowledge/README.md',
    text: `# Notes

Business rules and jargon in plain words, one file per topic.
`,
  },
  {
    path: 'examples/README.md',
    text: `# Verified pairs

One question and its checked SQL per \`.sql\` file:

\`\`\`text
-- question: how many orders were placed in 2024?
-- verified_by: you
-- verified_at: 2024-12-31
SELECT COUNT(*) FROM orders WHERE ordered_on >= '2024-01-01' AND ordered_on < '2025-01-01'
\`\`\`
`,
  },
  {
    path: 'tests/README.md',
    text: `# Questions with expected outcomes

One YAML file per topic, asked by \`candor test\`:

\`\`\`text
- id: orders-2024
  question: how many orders were placed in 2024?
  expect: { kind: answered, sql: "SELECT COUNT(*) FROM orders WHERE ordered_on LIKE '2024%'" }
\`\`\`
`,
  },
];
