import { describe, expect, it } from 'vitest';
import { experimentMetrics } from './experiment-metrics.ts';
import type { ExperimentReport, MeasuredPart } from './experiment-report.ts';
import type { NodeFigures } from './node-figures.ts';
import { plotExperiments, renderExperiments } from './render-experiments.ts';
import type { SelectionFigures } from './selection.ts';
import type { ShippedFigures } from './shipped.ts';

const figure = (auc: number) => ({ auc, low: auc - 0.02, high: auc + 0.02 });
const type = (auc: number) => ({ ...figure(auc), share: 0.2, wrongShare: 0.1 });

function nodes(all: number): NodeFigures {
  return {
    ...{ queries: 10, nodes: 400, wrongShare: 0.1, all: figure(all), typeOnly: 0.7 },
    ...{ withinQueries: 0.8, typeOnlyWithinQueries: 0.75 },
    types: {
      ...{ Identifier: type(0.81), Column: type(0.82), Literal: type(0.83), Table: type(0.84) },
      TableAlias: { ...type(Number.NaN), low: Number.NaN, high: Number.NaN },
    },
    calibration: {
      ...{ ece: 0.04, brier: 0.1 },
      bins: [
        { meanProbability: 0.1, errorRate: 0.12, weight: 200 },
        { meanProbability: 0.6, errorRate: 0.5, weight: 200 },
      ],
    },
  };
}

const part = (all: number): MeasuredPart => ({
  nodes: nodes(all),
  localisation: {
    ...{ wrongQueries: 5, topUnit: 0.8, topUnitInterval: { low: 0.4, high: 0.95 }, chance: 0.3 },
    ...{ wronglyAnswered: 4, topUnitOfWronglyAnswered: 0.75 },
    marks: [
      { threshold: 0.3, marked: 9, precision: 0.6, recall: 0.5 },
      { threshold: 0.6, marked: 4, precision: 0.8, recall: 0.3 },
    ],
  },
  queries: {
    ...{ queries: 10, accuracy: 50, auc: figure(0.79), eceBefore: 0.2, eceAfter: 0.1, brier: 0.2 },
    ...{ accuracyAt50: 70, accuracyAt80: 60, aurc: 0.2 },
    curve: {
      ...{ rows: 10, wrong: 5, aurc: 0.2, coverageAt5: 0.1, coverageAt10: 0.2 },
      points: [
        { threshold: 0.1, shown: 2, wrong: 0 },
        { threshold: 0.9, shown: 10, wrong: 5 },
      ],
    },
    byAgreement: { auc: 0.7, accuracyAt50: 60, accuracyAt80: 55 },
  },
  rightWithError: 0.35,
});
const selection: SelectionFigures = {
  ...{ questions: 100, mean: 50, oracle: 70, textMajority: 52, formMajority: 53, pick: 58 },
  ...{ overText: { points: 6, low: 3, high: 9 }, overForm: { points: 5, low: 2, high: 8 } },
};

function shipped(
  split: ShippedFigures['split'],
  others: ShippedFigures['others'],
  all: number,
): ShippedFigures {
  return {
    ...{ split, others, queries: 1_200, nodes: 48_000, wrongNodes: 0.11, judgedQueries: 1_100 },
    nodeAuc: {
      ...{ All: all, Identifier: 0.85, Column: 0.84, Literal: 0.8 },
      ...{ Table: 0.9, TableAlias: Number.NaN },
    },
    ...{ typeOnlyAuc: 0.7, nodeEce: 0.05, queryAuc: 0.77, queryEce: 0.08 },
  };
}

const REPORT: ExperimentReport = {
  unread: 3,
  samples4: { test: part(0.88), open: part(0.92), published: nodes(0.9) },
  pickFive: selection,
  pickAll: { ...selection, pick: 67, textMajority: 64 },
  shipped: [shipped('learned', 0, 0.86), shipped('test', 4, 0.87)],
};

describe('a report of experiments', () => {
  it('has the figures by the names of the bars', () => {
    expect(experimentMetrics(REPORT)).toMatchObject({
      ...{ identifierAuc2Samples4: 0.81, literalAuc2Samples4: 0.83, allAuc2Samples4: 0.88 },
      ...{ allAucOpenSamples4: 0.92, allAuc2Samples4PublishedLabels: 0.9, typeOnlyAuc2Samples4: 0.7 },
      ...{ topUnit: 0.8, nodeEce: 0.04, queryAuc4: 0.79, pickFive: 58, pickAll: 67, majorityAll: 64 },
    });
  });

  it('has the figures of the shipped model by split and by how many others were seen', () => {
    const metrics = experimentMetrics({ shipped: REPORT.shipped ?? [] });
    expect(metrics).toMatchObject({
      ...{
        allAucShipped0Learned: 0.86,
        literalAucShipped0Learned: 0.8,
        tableAliasAucShipped0Learned: Number.NaN,
      },
      ...{ allAucShipped4Test: 0.87, typeOnlyAucShipped4Test: 0.7, nodeEceShipped4Test: 0.05 },
      ...{ queryAucShipped4Test: 0.77, queryEceShipped4Test: 0.08 },
    });
    expect(Object.keys(metrics)).toHaveLength(2 * 10);
  });

  it('says nothing of experiments that were not run', () => {
    expect(experimentMetrics({ unread: 0 })).toEqual({});
    expect(renderExperiments({ unread: 0 })).toBe('');
    expect(renderExperiments({ pickFive: selection })).toContain('five prompts of one model');
    expect(renderExperiments({ pickFive: selection })).not.toMatch(/who wrote them|nodes: AUC|as shipped/);
    expect([...plotExperiments({ unread: 0 }).keys()]).toEqual([]);
  });

  it('has a table of its own for the shipped model', () => {
    expect(renderExperiments({ shipped: REPORT.shipped ?? [] })).toBe(
      `
as shipped, nodes: AUC   Identifier  Column  Literal  Table  TableAlias   All  type only   ECE  nodes  wrong  queries: AUC   ECE  queries  judged
alone, learned                 .850    .840     .800   .900           –  .860       .700  .050  48000   .110          .770  .080     1200    1100
with four samples, test        .850    .840     .800   .900           –  .870       .700  .050  48000   .110          .770  .080     1200    1100
`.trim(),
    );
  });

  it('is a table for each question a reader has, with intervals and a dash for what cannot be measured', () => {
    const text = renderExperiments(REPORT);
    expect(text).toContain('with four samples, test');
    expect(text).toContain('.880 [.860, .900]');
    expect(text).toContain('– [–, –]');
    expect(text).toContain('+6.0 [+3.0, +9.0]');
    expect(text).not.toContain('NaN');
  });

  it('has its two plots', () => {
    const plots = plotExperiments(REPORT);
    expect([...plots.keys()]).toEqual(['reliability.svg', 'risk-coverage.svg']);
    for (const svg of plots.values()) expect(svg).toMatch(/^<svg /);
  });
});
