import type { TestProgress } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

interface TestProgressLineProps {
  /** Absent before the first case is done. */
  readonly progress: TestProgress | undefined;
  readonly isLost: boolean;
  readonly onCancel: () => void;
}

/** How far a run is, and the way to end it. */
export function TestProgressLine({ progress, isLost, onCancel }: TestProgressLineProps) {
  const messages = useMessages();
  const { desk } = messages;
  return (
    <section className="card" aria-label={desk.runningTests}>
      <div className="table-line">
        <progress aria-label={desk.runningTests} value={progress?.done} max={progress?.total} />
        <span>
          {progress === undefined
            ? messages.working
            : `${desk.progressLine(progress.done, progress.total)}, ${desk.badLine(progress.bad)}`}
        </span>
        {progress?.secondsLeft !== undefined && progress.done < progress.total && (
          <span className="quiet">{desk.timeLeft(progress.secondsLeft)}</span>
        )}
        <button type="button" onClick={onCancel}>
          {messages.cancel}
        </button>
      </div>
      {/* Each case would be said aloud: what is told is that it runs. */}
      <p className="quiet" role="status">
        {isLost ? messages.reconnecting : desk.runningTests}
      </p>
    </section>
  );
}
