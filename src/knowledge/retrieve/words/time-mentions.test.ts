import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeMentions } from './time-mentions.ts';

describe('periods of a question', () => {
  it.each([
    ['sales in 2017', [[20170101, 20171231]]],
    ['top products in July 2017', [[20170701, 20170731]]],
    ['on July 15, 2015', [[20150715, 20150715]]],
    ['on 2016-10-14', [[20161014, 20161014]]],
    ['the 3rd of March 2021', [[20210303, 20210303]]],
    ['Between April 1 and July 31 of 2017', [[20170401, 20170731]]],
    ['from 2010 through 2019', [[20100101, 20191231]]],
    ['in 2012-2017', [[20120101, 20171231]]],
    ['between 2015 and 2018', [[20150101, 20181231]]],
    [
      'the years 2015 and 2018',
      [
        [20150101, 20151231],
        [20180101, 20181231],
      ],
    ],
    ['the first half of 2017', [[20170101, 20170631]]],
    ['Q3 2020', [[20200701, 20200931]]],
    [
      'April, June, and July 2022',
      [
        [20220401, 20220431],
        [20220601, 20220631],
        [20220701, 20220731],
      ],
    ],
    ['may I see the 2000 largest orders', [[20000101, 20001231]]],
    ['address 0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8', []],
    ['last week', []],
  ] as const)('%j: %j', (question, expected) => {
    const found = timeMentions(question).map(({ from, to }) => [from, to]);
    expect(found).toEqual(expected);
  });

  it('end after they begin, in any text', () => {
    const word = fc.constantFrom(
      '2017',
      'and',
      'to',
      'between',
      'March',
      '3',
      'of',
      '-',
      'Q1',
      '2015-02-30',
      'last',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        for (const { from, to } of timeMentions(words.join(' '))) expect(to).toBeGreaterThanOrEqual(from);
      }),
    );
  });
});
