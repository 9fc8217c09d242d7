import { useMessages } from '../i18n/use-messages.ts';
import type { KeptText } from './file-api.ts';

interface ConflictNoteProps {
  readonly newer: KeptText;
  readonly isWorking: boolean;
  readonly onTake: () => void;
  readonly onKeepOwn: () => void;
}

/** Somebody else was faster: what stands there now, and which of the two stays. */
export function ConflictNote({ newer: { text, etag }, isWorking, onTake, onKeepOwn }: ConflictNoteProps) {
  const { files } = useMessages();
  const isGone = etag === undefined;
  return (
    <div className="conflict" role="alert">
      <p>
        <strong>{isGone ? files.goneMeanwhile : files.changedMeanwhile}</strong> {files.nothingOverwritten}
      </p>
      {!isGone && (
        <details className="fold">
          <summary>{files.showNewer}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre className="newer-text" tabIndex={0}>
            {text}
          </pre>
        </details>
      )}
      <div className="file-bar">
        <button type="button" disabled={isWorking} onClick={onTake}>
          {isGone ? files.letGo : files.takeNewer}
        </button>
        <button type="button" disabled={isWorking} onClick={onKeepOwn}>
          {files.keepOwn}
        </button>
      </div>
    </div>
  );
}
