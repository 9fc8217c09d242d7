import { readOneColumn } from '../../semantic/semantic-file.ts';
import { below, type ImportContext, keepKeys, type Spot } from '../conversion/import-context.ts';
import { plainName } from '../conversion/names.ts';
import { type Mapping, mappingCondition, readMapping } from '../conversion/value-mapping.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import { contextOf, expressionIn, type LeanField } from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { CUBE_VENDOR, type CubeCube, type CubeDimension, DIMENSION, SEGMENT } from './cube-shape.ts';
import { cubeSql, plainSql } from './cube-template.ts';

/** A cube while it is read. */
export interface CubePlace {
  readonly cube: CubeCube;
  readonly spot: Spot;
  readonly desk: ImportContext;
  /** The name as spoken, which its dataset gets. */
  readonly name: string;
  readonly home: LogicalTable;
  readonly tables: readonly LogicalTable[];
}

export interface ReadDimensions {
  readonly fields: readonly LeanField[];
  readonly primaryKey: readonly string[];
  /** What keys without a field of their own say: their type. */
  readonly keyTypes: BlockData;
}

/**
 * Dimensions become fields; a private key that says nothing else becomes a part of the primary key alone, where it stands before
 * all fields: there the export writes it again.
 */
export function importDimensions(place: CubePlace): ReadDimensions {
  const fields: LeanField[] = [];
  const primaryKey: string[] = [];
  const types: Record<string, unknown> = {};
  for (const [index, dimension] of (place.cube.dimensions ?? []).entries()) {
    const spot = below(place.spot, 'dimensions', index);
    const { sql, column, written } = readSql(dimension, place);
    if (dimension.primary_key === true && column !== undefined) primaryKey.push(column);
    const isKeyAlone = dimension.primary_key === true && column === dimension.name && fields.length === 0;
    if (isKeyAlone && saysNothingElse(dimension, written)) {
      if (dimension.type !== 'number') types[column] = dimension.type ?? null;
      continue;
    }
    fields.push(importDimension(dimension, spot, { ...place, sql, column, written }));
  }
  const isPart = (item: CubeDimension) => item.primary_key === true;
  const count = (place.cube.dimensions ?? []).filter(isPart).length;
  if (count !== primaryKey.length)
    place.desk.lose(
      'kept',
      below(place.spot, 'dimensions'),
      'a part of the primary key is computed, so it is none',
    );
  return {
    fields,
    primaryKey: count === primaryKey.length ? primaryKey : [],
    keyTypes: Object.keys(types).length === 0 ? {} : { key_types: types },
  };
}

function saysNothingElse(dimension: CubeDimension, written: string): boolean {
  const keys = Object.keys(dimension).filter((key) => dimension[key] != null);
  const isShort = keys.every((key) => ['name', 'sql', 'type', 'primary_key', 'public'].includes(key));
  return isShort && dimension.public === false && written === `{CUBE}.${dimension.name}`;
}

interface ReadSql {
  /** Over the physical table; as written where it is not understood. */
  readonly sql: string;
  readonly column: string | undefined;
  readonly written: string;
}

function readSql(dimension: CubeDimension, { cube, home, tables }: CubePlace): ReadSql {
  const written = dimension.sql ?? dimension.name;
  const isMade = ['case', 'sub_query', 'latitude'].some((key) => dimension[key] !== undefined);
  if (isMade || dimension.type === 'geo') return { sql: written, column: undefined, written };
  const plain = plainSql(written, cube.name);
  const resolved = plain === undefined ? undefined : resolveExpression(plain, tables, home);
  const isOwn = resolved?.tables.every((table) => table === home.table) === true;
  const column = isOwn ? readOneColumn(resolved?.sql ?? '') : undefined;
  return { sql: column ?? resolved?.sql ?? written, column, written };
}

function importDimension(
  dimension: CubeDimension,
  spot: Spot,
  { desk, sql, column, written }: CubePlace & ReadSql,
): LeanField {
  const { words: own, block } = readWords(dimension);
  const words = desk.wordsOf(dimension, own);
  const isPrivate = dimension.public === false;
  if (!isPrivate) desk.mark(`dimension ${words.name}`, spot);
  if (!isPrivate && column === undefined) {
    const what = `dimension ${words.name} is no column; it takes no part in questions`;
    desk.lose('kept', below(spot, dimension.sql == null ? 'name' : 'sql'), what);
  }
  const type = dimension.type ?? undefined;
  const datatype = type === 'number' ? 'Decimal' : type === 'boolean' ? 'Boolean' : undefined;
  const isPlainType = ['string', 'number', 'boolean', 'time'].includes(type ?? '');
  const shown = ['name', 'title', 'description', 'public', 'meta', 'sql', 'type', 'primary_key'];
  const passed = Object.keys(DIMENSION.shape).filter((key) => !shown.includes(key));
  const kept: BlockData = {
    ...block,
    ...words.note,
    ...keepKeys(dimension, spot, { desk, known: Object.keys(DIMENSION.shape), kept: passed }),
    ...(isPlainType ? {} : { type: type ?? null }),
    ...(type === 'time' && (isPrivate || column === undefined) ? { type } : {}),
    ...(column === undefined && !isPrivate ? { computed: true } : {}),
    ...(dimension.sql == null ? { bare: true } : {}),
    ...(typeof dimension.public === 'string' || dimension.public === true
      ? { public: dimension.public }
      : {}),
    ...keepWritten(written, sql, cubeSql(sql)),
  };
  return withoutUndefined({
    name: words.name,
    expression: expressionIn(sql),
    dimension: isPrivate || column === undefined ? undefined : { is_time: type === 'time' },
    description: dimension.description ?? undefined,
    datatype,
    ai_context: contextOf(words.synonyms, own.instructions),
    custom_extensions: blocks({ [CUBE_VENDOR]: kept }),
  });
}

export interface Words {
  readonly name: string;
  readonly synonyms: readonly string[];
  /** What else there is to say to a reader of words. */
  readonly instructions: string | undefined;
}

/**
 * Names and words of an element: the title where it is the name as spoken, `meta.synonyms`, and `meta.ai_context` as
 * instructions. Any other title is one more synonym.
 */
export function readWords(element: {
  readonly name: string;
  readonly title?: string | null;
  readonly meta?: Readonly<Record<string, unknown>> | null;
}): { readonly words: Words; readonly block: BlockData } {
  const { name, title } = element;
  const { synonyms: listed, ai_context, ...meta } = element.meta ?? {};
  const isList =
    Array.isArray(listed) && listed.every((item) => typeof item === 'string' && item.trim() === item);
  const given: string[] = isList && !listed.includes('') ? listed : [];
  const instructions = typeof ai_context === 'string' ? ai_context : undefined;
  const others: Record<string, unknown> = {
    ...meta,
    ...(listed === undefined || given === listed ? {} : { synonyms: listed }),
    ...(ai_context === undefined || instructions !== undefined ? {} : { ai_context }),
  };
  const isSpoken = title != null && title !== name && plainName(title) === name && title.trim() === title;
  const isWord =
    !isSpoken && title != null && title.trim() !== '' && title !== name && !given.includes(title);
  const synonyms = isWord ? [title.trim(), ...given] : given;
  return {
    words: { name: isSpoken ? title : name, synonyms, instructions },
    block: {
      ...(title == null || isSpoken ? {} : { title }),
      ...(Object.keys(others).length === 0 ? {} : { meta: others }),
    },
  };
}

/** Segments that name a stored value are value mappings; others have no effect and are kept. */
export function importSegments({ cube, spot, desk, home }: CubePlace): {
  readonly mappings: readonly Mapping[];
  readonly block: BlockData;
} {
  const aside = new AsideBox();
  const said: Record<string, unknown> = {};
  const mappings = (cube.segments ?? []).flatMap((segment, index) => {
    const at = below(spot, 'segments', index);
    at.document.unknownKeys(segment, Object.keys(SEGMENT.shape), at.path);
    const { words, block } = readWords(segment);
    const plain = plainSql(segment.sql, cube.name);
    const mapping =
      plain === undefined ? undefined : readMapping([words.name, ...words.synonyms], plain, home);
    if (mapping === undefined) {
      aside.add('segments', index, segment);
      desk.lose(
        'kept',
        at,
        `segment ${segment.name} is more than a name of one value; it has no effect here`,
      );
      return [];
    }
    const { name: _, title: __, meta: ___, sql, ...rest } = segment;
    const notes = {
      ...rest,
      ...block,
      ...keepWritten(sql, mappingCondition(mapping), cubeSql(mappingCondition(mapping))),
    };
    if (Object.keys(notes).length > 0) said[mapping.surface[0] ?? ''] = notes;
    return [mapping];
  });
  return {
    mappings,
    block: { ...aside.block(), ...(Object.keys(said).length === 0 ? {} : { segments_said: said }) },
  };
}
