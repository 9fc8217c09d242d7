import { expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import type { LinkedItem, LinkedSchema } from '../../linking/index.ts';
import { makeStyle } from './layout/text-layout.ts';
import { renderLinked } from './render-linked.ts';

const item = (kind: LinkedItem['kind'], id: string, text: string): LinkedItem => ({
  ...{ kind, id, tier: 'relevant', isAuto: false },
  because: [{ kind: 'name', text }],
});
const LINKED: LinkedSchema = {
  ...{ mode: 'filter', why: ['asked for'], catalog: smallCatalog({ a: ['Id'], 'a.B': ['A_Id', 'c.d'] }) },
  items: [item('table', 'a', 'one'), item('field', 'a.id', 'two'), item('table', 'a.b', '\u001b[2Jthree')],
  ...{ discarded: [], hypotheses: [], turns: [], leftOut: [], warnings: ['\u202ewarned'], calls: [] },
};

it('names columns as the engine spells them, also of a table whose id begins like another one', () => {
  const items = [...LINKED.items, item('field', 'a.b.a_id', 'four'), item('field', 'a.b.c.d', 'five')];
  const text = renderLinked({ ...LINKED, items }, { style: makeStyle(false), isExplained: false });
  expect(text.match(/^ {2}\S+(?= )/gm)).toEqual(['  Id', '  A_Id', '  c.d']);
});

it('shows no control character of names, reasons and warnings', () => {
  const text = renderLinked(LINKED, { style: makeStyle(false), isExplained: true });
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  expect(text).toContain('\\x1b[2Jthree');
});
