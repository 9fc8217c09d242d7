import { access, appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { isFilesUrl, relativeFiles } from '../database/files/index.ts';
import { redactUrl } from '../database/http/index.ts';
import { CandorError } from '../errors.ts';

/**
 * Writes a new project folder: `candor.yml`, commented starts of the semantic model and its neighbours, and a line
 * in `.gitignore`. Refuses when there is a project already; other files that exist are left as they are. A password or
 * token of the URL is left out: the file is for git, and the environment has a place for it.
 * Returns the paths written, relative to the folder.
 */
export async function writeProject(folder: string, databaseUrl: string): Promise<string[]> {
  const settings = join(folder, 'candor.yml');
  if (await exists(settings))
    throw new CandorError('config.exists', `There is a candor.yml in ${folder} already.`);
  const written: string[] = [];
  for (const { path, text } of PROJECT_FILES) {
    const file = join(folder, path);
    await mkdir(join(file, '..'), { recursive: true });
    if (await exists(file)) continue;
    await writeFile(file, text, { flag: 'wx' });
    written.push(path);
  }
  if (await ignoreDerived(join(folder, '.gitignore'))) written.push('.gitignore');
  // Last: a folder with a candor.yml is a complete project.
  await writeFile(settings, settingsText(portableUrl(withoutSecret(databaseUrl), folder)), { flag: 'wx' });
  return [...written, 'candor.yml'];
}

/** `${VARIABLE}` is how a secret should stand there, so it stays. */
function withoutSecret(url: string): string {
  return url.includes('${') ? url : redactUrl(url);
}

/** Writes the path of a database in or below the folder relative to it, so that the project can move. */
function portableUrl(url: string, folder: string): string {
  if (isFilesUrl(url)) return relativeFiles(url, (path) => insideOf(path, folder));
  const [, scheme = '', path = ''] = /^(sqlite:|duckdb:)?(.*)$/s.exec(url) ?? [];
  if (!isAbsolute(path)) return url;
  return scheme + insideOf(path, folder);
}

function insideOf(path: string, folder: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside || '.';
}

async function ignoreDerived(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (/^\/?\.candor\/?\s*$/m.test(text)) return false;
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}.candor/\n`);
  return true;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The text of a new `candor.yml`. */
function settingsText(databaseUrl: string): string {
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
const PROJECT_FILES: readonly { readonly path: string; readonly text: string }[] = [
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
