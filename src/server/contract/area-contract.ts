/** Product areas, and the clusters they may be made of. */
import { z } from '@hono/zod-openapi';

const TABLES = z.array(z.string().min(1).max(300)).max(2_000);

export const AREA = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    memberCount: z.int(),
    members: z.array(z.string()).optional().openapi({ description: 'For those who may change knowledge.' }),
    instructions: z.string().optional(),
    includeTables: z.array(z.string()),
    excludeTables: z.array(z.string()),
    tables: z
      .array(
        z.strictObject({
          table: z.string(),
          because: z.enum(['included', 'cluster']),
          cluster: z.int().optional(),
          score: z.number().optional(),
        }),
      )
      .openapi({ description: 'What the area comes to, the first 500.' }),
    tableCount: z.int(),
  })
  .openapi('Area');
export type Area = z.infer<typeof AREA>;

export const AREA_LIST = z
  .strictObject({
    areas: z.array(AREA).openapi({ description: 'The first 500.' }),
    areaCount: z.int(),
    clusters: z.array(
      z.strictObject({
        id: z.int(),
        tableCount: z.int(),
        userCount: z.int(),
        runs: z.int(),
        tables: z.array(z.strictObject({ table: z.string(), score: z.number() })),
        overlaps: z.array(z.strictObject({ id: z.int(), shared: z.int(), share: z.number() })),
      }),
    ),
    clusterCount: z.int(),
    withoutClusters: z.string().optional().openapi({ description: 'Why there are none.' }),
    isUnsettled: z.boolean(),
    mayEdit: z.boolean(),
  })
  .openapi('AreaList');
export type AreaList = z.infer<typeof AREA_LIST>;

export const AREA_CHANGE = z
  .strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    includeTables: TABLES.optional(),
    excludeTables: TABLES.optional(),
    members: z.array(z.string().min(1).max(200)).max(5_000).optional(),
    instructions: z.string().max(2_000).optional().openapi({ description: 'Empty: none any more.' }),
  })
  .openapi('AreaChange');
export type AreaChange = z.infer<typeof AREA_CHANGE>;
