import { z } from 'zod';
import type { ForeignFile, Loss } from '../foreign/conversion.ts';
import { type ForeignPath, openForeign } from '../foreign/foreign-document.ts';
import type { ForeignRecord } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';

/** An entity with its aspects by name. */
export interface Entity {
  readonly urn: string;
  readonly type: string;
  readonly aspects: ReadonlyMap<string, ForeignRecord>;
  /** Where its first aspect stands. */
  readonly place: string;
}

interface Aspect {
  readonly urn: string;
  readonly name: string;
  /** Absent: the aspect is deleted. */
  readonly value: ForeignRecord | undefined;
  readonly path: ForeignPath;
}

const PROPOSAL = z.looseObject({
  entityUrn: z.string(),
  aspectName: z.string().min(1),
  changeType: z.string().nullish(),
  aspect: z.looseObject({}).nullish(),
});
const SNAPSHOT = z.looseObject({ urn: z.string(), aspects: z.array(z.looseObject({})) });

/**
 * The entities of metadata files, in the order they first stand. Read are lists of change proposals (`entityUrn`,
 * `aspectName`, `aspect`), of change events (`proposedSnapshot`), and entities with their aspects beside `urn`. The last
 * word on an aspect counts, as it would in DataHub.
 */
export function readEntities(files: readonly ForeignFile[], losses: Loss[]): readonly Entity[] {
  const entities = new Map<string, { aspects: Map<string, ForeignRecord>; place: string }>();
  for (const file of files) {
    const document = openForeign(file);
    const list = Array.isArray(document.value) ? document.value : [document.value];
    const found = list.flatMap((item: unknown, index) => {
      const path = Array.isArray(document.value) ? [index] : [];
      const aspects = isRecord(item) ? readItem(item, path) : undefined;
      if (aspects !== undefined) return aspects;
      const place = document.place(path);
      losses.push({
        kind: 'dropped',
        place,
        what: 'expected a change proposal, a change event or an entity',
      });
      return [];
    });
    if (found.length === 0 && list.length > 0)
      throw document.fault([], 'expected metadata of DataHub: a list of change proposals or events');
    for (const { urn, name, value, path } of found) {
      const entity = entities.get(urn) ?? { aspects: new Map(), place: document.place(path) };
      if (entity.aspects.has(name)) {
        const what = `${name} of ${urn} stands twice; the last counts`;
        losses.push({ kind: 'approximated', place: document.place(path), what });
      }
      if (value === undefined) entity.aspects.delete(name);
      else entity.aspects.set(name, value);
      entities.set(urn, entity);
    }
  }
  return [...entities].flatMap(([urn, entity]): Entity[] => {
    const type = entityType(urn);
    if (type !== undefined) return [{ urn, type, ...entity }];
    losses.push({ kind: 'dropped', place: entity.place, what: `\`${urn.slice(0, 100)}\` is no URN` });
    return [];
  });
}

/** The aspects of one item; `undefined` when it is of none of the known forms. */
function readItem(item: ForeignRecord, path: ForeignPath): readonly Aspect[] | undefined {
  if (isRecord(item.proposedSnapshot)) return readSnapshot(item.proposedSnapshot, path);
  const proposal = PROPOSAL.safeParse(item).data;
  if (proposal !== undefined) {
    const { entityUrn: urn, aspectName: name, changeType, aspect } = proposal;
    const value = changeType === 'DELETE' ? undefined : unwrap(aspect ?? {});
    return value === 'unreadable' ? undefined : [{ urn, name, value, path }];
  }
  if (typeof item.urn !== 'string') return undefined;
  const inside = isRecord(item.aspects) ? item.aspects : item;
  return Object.entries(inside).flatMap(([name, aspect]): Aspect[] => {
    const value = isRecord(aspect) ? unwrap(aspect) : 'unreadable';
    return value === 'unreadable' ? [] : [{ urn: String(item.urn), name, value, path }];
  });
}

/** An aspect stands as it is, below `json` or `value`, or as JSON text in `value`. */
function unwrap(aspect: ForeignRecord): ForeignRecord | 'unreadable' {
  if (isRecord(aspect.json)) return aspect.json;
  if (isRecord(aspect.value)) return aspect.value;
  if (typeof aspect.value !== 'string') return aspect;
  try {
    const parsed: unknown = JSON.parse(aspect.value);
    return isRecord(parsed) ? parsed : 'unreadable';
  } catch (error) {
    // Reported with the item that holds it.
    if (error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
}

/** `{"com.linkedin…DatasetSnapshot": {urn, aspects: [{"com.linkedin…SchemaMetadata": {…}}]}}` */
function readSnapshot(proposed: ForeignRecord, path: ForeignPath): readonly Aspect[] | undefined {
  const inner = 'urn' in proposed ? proposed : Object.values(proposed)[0];
  const snapshot = SNAPSHOT.safeParse(inner).data;
  return snapshot?.aspects.flatMap((holder): Aspect[] =>
    Object.entries(holder).flatMap(([type, value]) => {
      const name = aspectName(type);
      return isRecord(value) ? [{ urn: snapshot.urn, name, value, path }] : [];
    }),
  );
}

/** `com.linkedin.pegasus2avro.schema.SchemaMetadata` is the aspect `schemaMetadata`. */
function aspectName(type: string): string {
  const name = type.split('.').at(-1) ?? type;
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** URNs of DataHub, read strictly: one that is nearly right could name something else. */
export interface DatasetUrn {
  readonly platform: string;
  /** `warehouse.sales.orders` */
  readonly name: string;
  /** PROD, DEV, … */
  readonly origin: string;
}

const DATASET = /^urn:li:dataset:\(urn:li:dataPlatform:([\w.-]{1,100}),([^(),]{1,500}),([A-Z_]{1,30})\)$/;
const FIELD = /^urn:li:schemaField:\((urn:li:dataset:\([^()]{1,700}\)),([^()]{1,500})\)$/;
const ENTITY = /^urn:li:(\w{1,60}):(.{1,1000})$/s;

/** `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)`; `undefined` for anything else. */
export function readDatasetUrn(urn: string): DatasetUrn | undefined {
  const [, platform, encoded, origin] = DATASET.exec(urn) ?? [];
  const name = encoded === undefined ? undefined : decode(encoded);
  if (platform === undefined || origin === undefined || name === undefined || name.trim() !== name)
    return undefined;
  return name.split('.').includes('') ? undefined : { platform, name, origin };
}

export function writeDatasetUrn({ platform, name, origin }: DatasetUrn): string {
  return `urn:li:dataset:(urn:li:dataPlatform:${platform},${encode(name)},${origin})`;
}

/** The dataset and the path of a field. */
export function readFieldUrn(urn: string): { readonly dataset: string; readonly path: string } | undefined {
  const [, dataset, encoded] = FIELD.exec(urn) ?? [];
  const path = encoded === undefined ? undefined : decode(encoded);
  return dataset === undefined || path === undefined ? undefined : { dataset, path };
}

/** `glossaryTerm` of `urn:li:glossaryTerm:Finance.Revenue`. */
export function entityType(urn: string): string | undefined {
  return ENTITY.exec(urn)?.[1];
}

/** What an entity is called where nothing says its name: `Revenue` of `urn:li:glossaryTerm:Finance.Revenue`. */
export function nameInUrn(urn: string): string {
  return ENTITY.exec(urn)?.[2]?.split('.').at(-1)?.trim() ?? urn;
}

/** Brackets, commas and percent signs inside a name are written as in a URL. */
function encode(name: string): string {
  return name.replace(/[%(),]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

// The aspects of a dataset that are read, and what is kept of them beside the words.

/** The vendor of what only this format knows. */
export const DATAHUB_VENDOR = 'DATAHUB';

/** Aspects whose content becomes part of the model; all others are carried whole. */
export const READ_ASPECTS: ReadonlySet<string> = new Set([
  'datasetProperties',
  'editableDatasetProperties',
  'schemaMetadata',
  'editableSchemaMetadata',
]);

/** Aspects that become words or notes, and are carried besides. */
export const SAID_ASPECTS: ReadonlySet<string> = new Set([
  'glossaryTerms',
  'deprecation',
  'status',
  'datasetKey',
]);

/** Entities beside datasets that are carried, for the words they hold. */
export const CARRIED_ENTITIES: ReadonlySet<string> = new Set([
  'glossaryTerm',
  'glossaryNode',
  'domain',
  'tag',
]);

/**
 * The column that a field path names; `undefined` for a field inside another. Paths of the second version name types
 * too: `[version=2.0].[type=string].status`.
 */
export function columnOfPath(path: string): string | undefined {
  if (!path.startsWith('[version=2.0]')) return path.trim() === '' ? undefined : path;
  // A name may hold brackets of its own only in the first version.
  const names = path
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .filter((step) => step !== '');
  return names.length === 1 ? names[0] : undefined;
}
