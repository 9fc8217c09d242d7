import type { OpenApi, Operation } from './open-api.ts';

export interface ListedRoute {
  /** `get /v1/tests`: its address on the page. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface RouteGroup {
  readonly tag: string;
  readonly routes: readonly ListedRoute[];
}

/** The routes that have every word in method, path, tag or summary, by their first tag, in the order of the document. */
export function listRoutes({ paths }: OpenApi, words: string): readonly RouteGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ListedRoute[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? '';
      const id = `${method} ${path}`;
      const text = `${id} ${tag} ${operation.summary ?? ''}`.toLowerCase();
      if (!wanted.every((word) => text.includes(word))) continue;
      groups.set(tag, [...(groups.get(tag) ?? []), { id, method, path, operation }]);
    }
  return [...groups].map(([tag, routes]) => ({ tag, routes }));
}
