import type { Answered } from '../api/contract.ts';
import { breakSql } from '../sql/break-sql.ts';
import { sameWords } from './same-words.ts';
import { SayChip } from './say-chip.tsx';

interface ReadingListProps {
  readonly title: string;
  readonly readings: Answered['alternatives'];
  /** The question whose readings they are: to ask it once more leads to none of them. */
  readonly asked: string;
}

/** Other readings of a question: those that another question leads to can be asked for, the others show their query. */
export function ReadingList({ title, readings, asked }: ReadingListProps) {
  return (
    <section className="readings">
      <h4>{title}</h4>
      <ul>
        {readings.map(({ label, question, sql }) => (
          <li key={`${label} ${sql}`}>
            {question !== '' && !sameWords(question, asked) ? (
              <SayChip label={label} says={question} title={question} />
            ) : sql === undefined ? (
              label
            ) : (
              <details className="fold">
                <summary>{label}</summary>
                <pre className="sql-plain">{breakSql(sql)}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
