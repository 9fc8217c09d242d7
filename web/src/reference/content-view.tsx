import type { Content, OpenApi } from './open-api.ts';
import { SchemaView } from './schema-view.tsx';

/** What a body holds, for each type that it may have. */
export function ContentView({
  content,
  document,
}: {
  readonly content: Content;
  readonly document: OpenApi;
}) {
  return Object.entries(content).map(([type, { schema }]) => (
    <div key={type}>
      <code>{type}</code>
      {schema !== undefined && <SchemaView schema={schema} document={document} />}
    </div>
  ));
}
