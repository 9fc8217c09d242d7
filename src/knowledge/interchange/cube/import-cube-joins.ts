import { readOneColumn } from '../../semantic/semantic-file.ts';
import { below } from '../conversion/import-context.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import type { LeanRelationship } from '../foreign/lean-model.ts';
import { resolveExpression } from '../foreign/resolve-expression.ts';
import { columnText, equalColumnsIn } from '../foreign/sql-expression.ts';
import { CUBE_VENDOR, type CubeJoin, JOIN } from './cube-shape.ts';
import { plainSql } from './cube-template.ts';
import type { CubePlace } from './import-cube-members.ts';

/** Which side has the many rows, by the words of today and those of old. */
const MANY_SIDE: Readonly<Record<string, 'own' | 'other'>> = {
  many_to_one: 'own',
  belongs_to: 'own',
  one_to_one: 'own',
  has_one: 'own',
  one_to_many: 'other',
  has_many: 'other',
};

export interface ReadJoins {
  readonly relationships: readonly LeanRelationship[];
  readonly aside: BlockData;
}

/** Joins become relationships `orders_customers`; one that is no equality of columns is set aside. */
export function importJoins(place: CubePlace, places: readonly CubePlace[]): ReadJoins {
  const { cube, spot, desk } = place;
  const aside = new AsideBox();
  const relationships = (cube.joins ?? []).flatMap((join, index) => {
    const at = below(spot, 'joins', index);
    at.document.unknownKeys(join, Object.keys(JOIN.shape), at.path);
    const other = places.find((item) => item.cube.name === join.name);
    const read = other === undefined ? 'names a cube that is not there' : readJoin(join, place, other);
    if (typeof read !== 'string') {
      desk.mark(`relationship ${read.name}`, at);
      return [read];
    }
    aside.add('joins', index, join);
    desk.lose('kept', at, `the join of ${cube.name} to ${join.name} ${read}`);
    return [];
  });
  return { relationships, aside: aside.block() };
}

/** The relationship, or why it is none. */
function readJoin(join: CubeJoin, place: CubePlace, other: CubePlace): LeanRelationship | string {
  const side = MANY_SIDE[join.relationship];
  if (side === undefined)
    return `has the relationship ${join.relationship}; expected many_to_one or its inverse`;
  const plain = plainSql(join.sql, place.cube.name);
  const pairs = plain === undefined ? undefined : equalColumnsIn(plain);
  if (pairs === undefined) return 'is no equality of columns';
  const columnsOf = (owner: CubePlace): string[] =>
    pairs.flatMap((pair) => {
      const found = pair.find((parts) => parts.at(-2)?.toLowerCase() === owner.cube.name.toLowerCase());
      const sql = found && resolveExpression(columnText(...found.slice(-2)), [owner.home])?.sql;
      const column = sql === undefined ? undefined : readOneColumn(sql);
      return column === undefined ? [] : [column];
    });
  const [own, others] = [columnsOf(place), columnsOf(other)];
  if (own.length !== pairs.length || others.length !== pairs.length)
    return 'joins on what is no column of the two';
  const [from, to] = side === 'own' ? [place, other] : [other, place];
  const written = joinSql(own, join.name, others);
  return withoutUndefined({
    name: `${from.cube.name}_${to.cube.name}`,
    from: from.name,
    to: to.name,
    from_columns: side === 'own' ? own : others,
    to_columns: side === 'own' ? others : own,
    custom_extensions: blocks({
      [CUBE_VENDOR]: {
        ...(join.relationship === 'many_to_one'
          ? {}
          : { relationship: join.relationship, in: place.cube.name }),
        ...keepWritten(join.sql, written),
      },
    }),
  });
}

/** `{CUBE}.customer_id = {customers}.id` */
export function joinSql(own: readonly string[], other: string, columns: readonly string[]): string {
  return own
    .map((column, index) => `{CUBE}.${columnText(column)} = {${other}}.${columnText(columns[index] ?? '')}`)
    .join(' AND ');
}
