/** The `guard` section of `candor.yml`. */
import { z } from 'zod';

const OWN_NAMES = z.array(z.string().trim().min(1));

export const GUARD_SCHEMA = z
  .strictObject({
    allow: z
      .strictObject({
        functions: OWN_NAMES.optional().describe(
          'Functions, macros and aggregates that the database has defined under a name of the engine: `unaccent`.',
        ),
        operators: OWN_NAMES.optional().describe('Operators, by their signs: `"==="`.'),
        types: OWN_NAMES.optional().describe(
          'Types that run code when a value is made of a text, such as domains with a check: `postal_code`, `app.email`.',
        ),
        casts: OWN_NAMES.optional().describe('Casts by a function: `money_amount as numeric`.'),
        collations: OWN_NAMES.optional().describe('Collations: `case_insensitive`.'),
      })
      .optional()
      .describe(
        'Code of the database itself that statements may run although it stands behind, or beside, a name of the engine. Read what it does first: it runs with whatever rights it was given, past row filters and masks.',
      ),
  })
  .optional()
  .describe('What the guard lets pass beyond its lists, see docs/guides/guard.md.');
