import type { FileProblem } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

interface ProblemListProps {
  readonly problems: readonly FileProblem[];
  /** Absent: there is no text to go to. */
  readonly onChoose?: (problem: FileProblem) => void;
}

/** What is wrong with a text, where, and what to do about it. */
export function ProblemList({ problems, onChoose }: ProblemListProps) {
  const { files } = useMessages();
  if (problems.length === 0) return null;
  return (
    <ol className="problems" aria-label={files.problems}>
      {problems.map((problem) => {
        const { severity, line, column, message, next } = problem;
        const place = files.lineColumn(line, column);
        return (
          <li key={`${line}:${column} ${message}`}>
            <span className={severity === 'error' ? 'badge badge-no' : 'badge badge-warn'}>
              {files.severities[severity]}
            </span>{' '}
            {onChoose === undefined ? (
              <span className="quiet">{place}</span>
            ) : (
              <button type="button" className="link" onClick={() => onChoose(problem)}>
                {place}
              </button>
            )}{' '}
            {message} <span className="quiet">{next}</span>
          </li>
        );
      })}
    </ol>
  );
}
