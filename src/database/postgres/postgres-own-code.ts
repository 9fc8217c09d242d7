/** Reads what PostgreSQL may run of the owner's code for a statement that names nothing but the engine's. */
import type { Cell } from '../../sql/dialects/cell.ts';
import type { OwnCode, OwnThing } from '../../sql/guard/index.ts';
import type { ReadCatalogRows } from './reading-transaction.ts';

/** Numbers below are the engine's own objects, made with the cluster. */
const FIRST_OWN = 16384;

/**
 * Extensions whose functions stand on the guard's list. Their compiled functions are what the list means: only a
 * superuser can make one, and ALTER EXTENSION … ADD takes what somebody else has made, but not into another language.
 */
const LISTED_EXTENSIONS = [
  ...[
    'btree_gin',
    'btree_gist',
    'citext',
    'cube',
    'earthdistance',
    'fuzzystrmatch',
    'hstore',
    'intarray',
    'isn',
  ],
  ...['ltree', 'pg_trgm', 'pgcrypto', 'postgis', 'postgis_raster', 'seg', 'tablefunc', 'timescaledb'],
  ...['timescaledb_toolkit', 'unaccent', 'uuid-ossp', 'vector', 'xml2'],
];

/** Functions and types of those extensions that are no compiled code, by name; a superuser must own them. */
const LISTED_SCRIPTS = [
  [
    'citext',
    '^(regexp_(match|matches|replace|split_to_array|split_to_table)|replace|split_part|strpos|translate)$',
  ],
  ['earthdistance', '^(earth|earth_box|earth_distance|gc_to_sec|latitude|ll_to_earth|longitude|sec_to_gc)$'],
  ['postgis', '^_?st_'],
  ['timescaledb', '^time_bucket'],
];

/** `json_agg` and its kin look a cast to JSON up for whatever they are given. */
const JSON_TYPES = "'pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.jsonb'::pg_catalog.regtype";

/**
 * Whether the check \`k\` of a domain only computes: an expression of these nodes alone, over the engine's own types and its
 * immutable functions. PostgreSQL keeps no other record of the functions of its own that a check calls.
 */
const CHECK_NODES = [
  ...[
    'ARRAY',
    'ARRAYEXPR',
    'BOOLEANTEST',
    'BOOLEXPR',
    'CASE',
    'CASEEXPR',
    'CASETESTEXPR',
    'CASEWHEN',
    'COALESCE',
  ],
  ...['COALESCEEXPR', 'COERCETODOMAINVALUE', 'CONST', 'FUNCEXPR', 'NULLTEST', 'OPEXPR', 'RELABELTYPE'],
  ...['SCALARARRAYOPEXPR', 'WHEN'],
];
const COMPUTES = `
  NOT EXISTS (SELECT FROM regexp_matches(k.conbin::text, '[{]([A-Z_]+)', 'g') AS node (parts)
    WHERE node.parts[1] NOT IN (${CHECK_NODES.map((name) => `'${name}'`).join(', ')}))
  AND NOT EXISTS (SELECT FROM regexp_matches(k.conbin::text, ':\\w*(?:type|typeid|opno|funcid) (\\d+)', 'gi') AS used (parts)
    WHERE used.parts[1]::bigint >= ${FIRST_OWN})
  AND NOT EXISTS (SELECT FROM regexp_matches(k.conbin::text, ':funcid (\\d+)', 'g') AS used (parts)
    JOIN pg_catalog.pg_proc p ON p.oid = used.parts[1]::oid WHERE p.provolatile <> 'i')
  AND NOT EXISTS (SELECT FROM regexp_matches(k.conbin::text, ':opno (\\d+)', 'g') AS used (parts)
    JOIN pg_catalog.pg_operator o ON o.oid = used.parts[1]::oid
    JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode WHERE p.provolatile <> 'i')`;

/** Types of the owner's, and the engine's that got an order of theirs. */
const matters = (type: string): string => `(${type} >= ${FIRST_OWN} OR ${type} IN (SELECT oid FROM matters))`;

const names = (list: readonly string[]): string => list.map((name) => `'${name}'`).join(', ');

/**
 * One statement. `vetted` is what an extension brought as compiled code; `coded` the types that run code when a value
 * is made; `reach` every type that holds a value of one that matters, tables among them, so that an operator over an
 * enumeration of the owner's concerns only who reads such a column or writes such a type.
 */
const OWN_CODE = `
  WITH RECURSIVE members AS MATERIALIZED (
    SELECT d.classid, d.objid, e.extname
    FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
    WHERE d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.deptype = 'e'),
  scripts (extname, pattern) AS (VALUES ${LISTED_SCRIPTS.map((row) => `(${names(row)})`).join(', ')}),
  vetted AS MATERIALIZED (
    SELECT p.oid, m.extname IN (${names(LISTED_EXTENSIONS)}) AS is_listed
    FROM members m JOIN pg_catalog.pg_proc p ON m.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND p.oid = m.objid
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang JOIN pg_catalog.pg_roles o ON o.oid = p.proowner
    WHERE l.lanname IN ('c', 'internal')
      OR o.rolsuper AND EXISTS (SELECT FROM scripts s WHERE s.extname = m.extname AND p.proname ~ s.pattern)),
  implicit AS MATERIALIZED (
    SELECT casttarget FROM pg_catalog.pg_cast
    WHERE oid >= ${FIRST_OWN} AND castcontext = 'i' AND castsource < ${FIRST_OWN}),
  operators AS MATERIALIZED (
    SELECT o.oprname, o.oprleft, o.oprright,
      EXISTS (SELECT FROM pg_catalog.pg_operator b WHERE b.oid < ${FIRST_OWN} AND b.oprname = o.oprname)
      AND (SELECT bool_and(t.oid >= ${FIRST_OWN} AND t.typtype IN ('e', 'c', 'b', 'r', 'm')
          AND t.typcategory NOT IN ('A', 'S') AND t.oid NOT IN (SELECT casttarget FROM implicit))
        FROM pg_catalog.pg_type t WHERE t.oid IN (o.oprleft, o.oprright)) AS is_bound
    FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
    WHERE o.oid >= ${FIRST_OWN} AND n.nspname = ANY (current_schemas(true))
      AND NOT (o.oprcode IN (SELECT oid FROM vetted) AND EXISTS (SELECT FROM members m
        WHERE m.classid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND m.objid = o.oid))),
  casts AS MATERIALIZED (
    SELECT c.castsource, c.casttarget,
      c.castcontext = 'e' AND c.casttarget NOT IN (${JSON_TYPES}) AS is_explicit
    FROM pg_catalog.pg_cast c
    WHERE c.oid >= ${FIRST_OWN} AND c.castmethod = 'f'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_type t WHERE t.oid = c.casttarget AND t.typtype = 'm')
      AND NOT (c.castfunc IN (SELECT oid FROM vetted) AND EXISTS (SELECT FROM members m
        WHERE m.classid = 'pg_catalog.pg_cast'::pg_catalog.regclass AND m.objid = c.oid))),
  ordered AS MATERIALIZED (
    SELECT DISTINCT o.opcintype FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_amproc a
      ON a.amprocfamily = o.opcfamily AND a.amproclefttype = o.opcintype
    WHERE o.oid >= ${FIRST_OWN} AND o.opcdefault AND a.amproc >= ${FIRST_OWN}
      AND a.amproc NOT IN (SELECT oid FROM vetted)),
  checked AS MATERIALIZED (
    SELECT k.contypid FROM pg_catalog.pg_constraint k
    WHERE k.contypid <> 0 AND k.contype = 'c' AND NOT (${COMPUTES})),
  matters AS MATERIALIZED (
    SELECT opcintype AS oid FROM ordered
    UNION SELECT typarray FROM pg_catalog.pg_type WHERE oid IN (SELECT opcintype FROM ordered)),
  coded AS MATERIALIZED (
    SELECT t.oid, t.typtype = 'd' AND NOT EXISTS (SELECT FROM pg_catalog.pg_cast c
      WHERE c.oid >= ${FIRST_OWN} AND c.castmethod = 'i' AND c.castcontext <> 'e') AS is_checked
    FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_range r ON r.rngtypid = t.oid
    WHERE t.oid IN (SELECT opcintype FROM ordered) OR t.oid >= ${FIRST_OWN} AND (
      t.oid IN (SELECT contypid FROM checked)
      OR t.typtype = 'b' AND t.typcategory <> 'A' AND t.typinput NOT IN (SELECT oid FROM vetted)
      OR t.typtype = 'r' AND (r.rngcanonical <> 0 OR r.rngsubopc >= ${FIRST_OWN}))
      AND NOT EXISTS (SELECT FROM members m JOIN scripts s ON s.extname = m.extname
        JOIN pg_catalog.pg_roles o ON o.oid = t.typowner WHERE m.objid = t.oid AND o.rolsuper
          AND m.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND t.typname ~ s.pattern)),
  reach (seed, type) AS (
    SELECT seed, seed FROM (
      SELECT oid AS seed FROM coded
      UNION SELECT unnest(ARRAY[oprleft, oprright]) FROM operators WHERE is_bound
      UNION SELECT unnest(ARRAY[castsource, casttarget]) FROM casts) s
    WHERE ${matters('seed')}
    UNION
    SELECT r.seed, u.type FROM reach r JOIN (
      SELECT typelem AS part, oid AS type FROM pg_catalog.pg_type
        WHERE ${matters('typelem')} AND typcategory = 'A'
      UNION ALL SELECT typbasetype, oid FROM pg_catalog.pg_type WHERE ${matters('typbasetype')}
      UNION ALL SELECT rngsubtype, rngtypid FROM pg_catalog.pg_range WHERE ${matters('rngsubtype')}
      UNION ALL SELECT rngtypid, (to_jsonb(r.*) ->> 'rngmultitypid')::oid FROM pg_catalog.pg_range r
        WHERE rngtypid >= ${FIRST_OWN}
      UNION ALL SELECT a.atttypid, c.reltype
        FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        WHERE ${matters('a.atttypid')} AND a.attnum > 0 AND c.reltype <> 0) u ON u.part = r.type),
  named AS (
    SELECT r.seed, lower(n.nspname || '.' || t.typname) AS path,
      CASE WHEN pg_type_is_visible(t.oid) THEN lower(t.typname) END AS bare,
      CASE WHEN t.typrelid <> 0 THEN lower(t.typname) END AS relation
    FROM reach r JOIN pg_catalog.pg_type t ON t.oid = r.type
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace)
  SELECT 'function', lower(p.proname), false, NULL::text
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE p.oid >= ${FIRST_OWN} AND p.prokind <> 'p' AND n.nspname = ANY (current_schemas(true))
    AND p.oid NOT IN (SELECT oid FROM vetted WHERE is_listed)
  GROUP BY 2
  UNION ALL SELECT 'type', name, false, NULL
  FROM named CROSS JOIN LATERAL (VALUES (path), (bare)) v (name)
  WHERE seed IN (SELECT oid FROM coded) AND name IS NOT NULL GROUP BY 2
  UNION ALL SELECT CASE WHEN c.is_checked THEN 'checked type' ELSE 'held type' END,
    lower(CASE WHEN pg_type_is_visible(t.oid) THEN t.typname ELSE n.nspname || '.' || t.typname END), false, t.oid::text
  FROM coded c JOIN pg_catalog.pg_type t ON t.oid = c.oid JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  UNION ALL SELECT 'operator', oprname, false, CASE WHEN is_bound THEN concat_ws(' ', oprleft, oprright) END
  FROM operators
  UNION ALL SELECT 'cast', lower(format_type(castsource, NULL) || ' as ' || format_type(casttarget, NULL)),
    is_explicit, concat_ws(' ', nullif(castsource, 0), casttarget)
  FROM casts
  UNION ALL SELECT 'collation', v.name, false, NULL
  FROM pg_catalog.pg_collation c JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
  CROSS JOIN LATERAL (VALUES (lower(n.nspname || '.' || c.collname)),
    (CASE WHEN pg_collation_is_visible(c.oid) THEN lower(c.collname) END)) v (name)
  WHERE n.nspname <> 'pg_catalog' AND v.name IS NOT NULL
  UNION ALL SELECT 'type name', name, false, seed::text
  FROM named CROSS JOIN LATERAL (VALUES (path), (bare)) v (name) WHERE name IS NOT NULL
  UNION ALL SELECT 'table name', relation, false, seed::text FROM named WHERE relation IS NOT NULL`;

interface Places {
  readonly types: Set<string>;
  readonly tables: Set<string>;
}

/** Of the schemas that bare names reach; types, casts and collations of all. */
export async function readPostgresOwnCode(read: ReadCatalogRows): Promise<OwnCode> {
  const rows: (readonly Cell[])[] = [];
  const places = new Map<string, Places>();
  await read(OWN_CODE, (row) => {
    const [kind, name, , seed] = row;
    if (kind !== 'type name' && kind !== 'table name') {
      rows.push(row);
      return;
    }
    const known = places.get(String(seed)) ?? { types: new Set(), tables: new Set() };
    places.set(String(seed), known);
    known[kind === 'type name' ? 'types' : 'tables'].add(String(name));
  });
  return rows.flatMap((row) => toThing(row, places) ?? []);
}

function toThing(
  [kind, name, isExplicit, seeds]: readonly Cell[],
  places: ReadonlyMap<string, Places>,
): OwnThing | undefined {
  const bounds = typeof seeds === 'string' ? seeds.split(' ').flatMap((seed) => places.get(seed) ?? []) : [];
  // Between two types of the engine nothing in a statement tells whether a cast is applied.
  const onlyWith = bounds.length === 0 ? undefined : joined(bounds);
  const bound = { ...(onlyWith && { onlyWith }), ...(isExplicit === true && { isExplicit }) };
  switch (kind) {
    case 'checked type':
    case 'held type':
      return {
        kind: 'type',
        name: String(name),
        ...bound,
        whenRead: kind === 'held type' ? 'always' : 'with-values',
      };
    case 'function':
    case 'type':
    case 'operator':
    case 'cast':
    case 'collation':
      return { kind, name: String(name), ...bound };
    default:
      return undefined;
  }
}

function joined(places: readonly Places[]): OwnThing['onlyWith'] {
  const all = (list: keyof Places): readonly string[] => [
    ...new Set(places.flatMap((place) => [...place[list]])),
  ];
  return { types: all('types'), tables: all('tables') };
}
