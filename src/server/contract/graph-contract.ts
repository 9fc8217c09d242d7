/** What is around one thing that is known: a picture's worth of the knowledge graph. */
import { z } from '@hono/zod-openapi';

export const NODE_KINDS = ['table', 'metric', 'dimension', 'note', 'example', 'area', 'cluster'] as const;

export const GRAPH = z
  .strictObject({
    nodes: z.array(
      z.strictObject({
        id: z.string().openapi({ example: 'table:orders' }),
        kind: z.enum(NODE_KINDS),
        label: z.string(),
        steps: z.int().openapi({ description: 'From the one in the middle.' }),
      }),
    ),
    edges: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        kind: z.enum(['join', 'read-with', 'defines', 'about', 'reads', 'includes']),
        label: z.string().optional(),
      }),
    ),
    leftOut: z.int().openapi({ description: 'Neighbours that the limit has hidden.' }),
  })
  .openapi('Graph');
export type GraphPicture = z.infer<typeof GRAPH>;
