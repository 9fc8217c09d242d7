import { useState } from 'react';
import type { TestReport, TestResult } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { TestResultView } from './test-result-view.tsx';

const PAGE = 50;
const BAD: readonly TestResult['status'][] = ['failed', 'flaky', 'error', 'unexpected-pass'];

/** What a run of tests came to: figures, then each case. */
export function TestReportView({ report }: { readonly report: TestReport }) {
  const { desk } = useMessages();
  const [shows, setShows] = useState<'bad' | 'all'>('bad');
  const [most, setMost] = useState(PAGE);
  const { isPassed, faults, stoppedBy, seconds, results } = report;
  const wanted = results.filter(({ status }) => shows === 'all' || BAD.includes(status));
  return (
    <section aria-label={desk.report}>
      <div className="table-line" role="status">
        <h2>{desk.report}</h2>
        <span className={isPassed ? 'badge badge-good' : 'badge badge-no'}>
          {isPassed ? desk.isPassed : desk.isNotPassed}
        </span>
        <span className="quiet">{desk.took(seconds)}</span>
      </div>
      {stoppedBy !== undefined && <p>{desk.stoppedBy[stoppedBy]}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <Figures report={report} />
      <div className="desk-bar">
        <label>
          {desk.showResults}{' '}
          <select
            value={shows}
            onChange={({ currentTarget }) => {
              setShows(currentTarget.value === 'all' ? 'all' : 'bad');
              setMost(PAGE);
            }}
          >
            <option value="bad">{desk.badOnly}</option>
            <option value="all">{desk.allResults}</option>
          </select>
        </label>
      </div>
      {wanted.length === 0 && <p>{desk.allGood}</p>}
      {wanted.slice(0, most).map((result) => (
        <TestResultView key={`${result.file} ${result.id}`} result={result} />
      ))}
      {wanted.length > most && (
        <p>
          <span className="quiet">{desk.someCases(most, wanted.length)} </span>
          <button type="button" onClick={() => setMost(most + PAGE)}>
            {desk.more}
          </button>
        </p>
      )}
    </section>
  );
}

function Figures({ report }: { readonly report: TestReport }) {
  const { desk } = useMessages();
  const { counts, accuracy, forcedAnswers, tokens, cost } = report;
  const told = Object.entries(counts).flatMap(([status, count]) =>
    count > 0 ? [`${count} ${desk.statuses[status as TestResult['status']]}`] : [],
  );
  const lines = [
    { name: desk.cases, value: told.join(', ') },
    {
      name: desk.accuracy,
      value: desk.share(accuracy.hits, accuracy.total, accuracy.share),
      why: desk.accuracyWhy,
    },
    {
      name: desk.forcedAnswers,
      value: desk.share(forcedAnswers.hits, forcedAnswers.total, forcedAnswers.share),
      why: desk.forcedWhy,
    },
    { name: desk.tokens, value: String(tokens) },
    { name: desk.cost, value: cost === undefined ? desk.unknown : desk.costOf(cost) },
  ];
  return (
    <dl className="facts">
      {lines.map(({ name, value, why }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {why !== undefined && <span className="quiet"> · {why}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
