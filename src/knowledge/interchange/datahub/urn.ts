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
