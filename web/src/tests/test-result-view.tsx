import { useId } from 'react';
import type { TestResult, TestTurn } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { hashOf } from '../shell/use-route.ts';

const LOOKS: Readonly<Record<TestResult['status'], string>> = {
  passed: 'badge badge-good',
  failed: 'badge badge-no',
  flaky: 'badge badge-warn',
  error: 'badge badge-no',
  known: 'badge badge-warn',
  'unexpected-pass': 'badge badge-warn',
  skipped: 'badge',
  'not-asked': 'badge',
};

/** One case: what was said, what was due, what came, and why that is not the same. */
export function TestResultView({ result }: { readonly result: TestResult }) {
  const { desk } = useMessages();
  const title = useId();
  const { id, file, line, tags, status, skip, knownFailure, turns, says } = result;
  const because = skip ?? knownFailure;
  return (
    <article className="card" aria-labelledby={title}>
      <div className="table-line">
        <h3 id={title}>{id}</h3>
        <span className={LOOKS[status]}>{desk.statuses[status]}</span>
        <span className="quiet">
          {desk.place(file, line)}
          {tags.length > 0 && ` · ${tags.join(', ')}`}
        </span>
      </div>
      {because !== undefined && <p className="quiet">{because}</p>}
      {turns.length === 0 && <p>{says}</p>}
      {turns.map((turn, at) => (
        // A conversation may say the same twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: turns stay where they are
        <TurnView key={at} turn={turn} />
      ))}
    </article>
  );
}

function TurnView({ turn }: { readonly turn: TestTurn }) {
  const messages = useMessages();
  const { desk } = messages;
  const { says, expected, outcome, sql, said, recordId, problems } = turn;
  return (
    <div>
      <p>
        <q>{says}</q>
      </p>
      <p className="quiet">
        {expected !== undefined && `${desk.expected}: ${desk.outcomes[expected]}. `}
        {outcome !== undefined && `${desk.came}: ${desk.outcomes[outcome]}. `}
        {said}
      </p>
      {problems.map((problem) => (
        <pre key={problem} className="problem">
          {problem}
        </pre>
      ))}
      <div className="table-line">
        {sql !== undefined && (
          <details className="fold">
            <summary>{messages.sql}</summary>
            <pre className="sql-plain">{sql}</pre>
          </details>
        )}
        {recordId !== undefined && <a href={hashOf(['runs', recordId])}>{desk.record}</a>}
      </div>
    </div>
  );
}
