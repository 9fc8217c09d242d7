/** The aspects of a dataset that are read, and what is kept of them beside the words. */

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
