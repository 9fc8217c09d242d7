import { lazy, Suspense, useRef } from 'react';
import type { FileProblem } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useRights } from '../shell/me-context.ts';
import { ConflictNote } from './conflict-note.tsx';
import { type FilePlace, type KeptText, shownPlace } from './file-api.ts';
import { FileStatus } from './file-status.tsx';
import { ProblemList } from './problem-list.tsx';
import type { TextEditorHandle } from './text-editor.tsx';
import { useCheck } from './use-check.ts';
import { type FileDraft, useFileDraft } from './use-file-draft.ts';

const TextEditor = lazy(() => import('./text-editor.tsx'));
const NONE: readonly FileProblem[] = [];

interface FileEditorProps {
  readonly place: FilePlace;
  readonly kept: KeptText;
}

/** The text of a file to read, and for those who may, to change. */
export function FileEditor({ place, kept }: FileEditorProps) {
  const messages = useMessages();
  const { files } = messages;
  const { editKnowledge } = useRights();
  const draft = useFileDraft(place, kept);
  const { text, base, round, isWorking, outcome } = draft;
  const check = useCheck(place, text, editKnowledge);
  const editor = useRef<TextEditorHandle>(null);
  const problems = outcome.kind === 'not-saved' ? outcome.problems : (check.problems ?? NONE);
  return (
    <>
      {editKnowledge ? <FileBar place={place} draft={draft} /> : <p className="quiet">{files.readOnly}</p>}
      {outcome.kind === 'failed' && <FailureNote failure={outcome.failure} />}
      {outcome.kind === 'conflict' && (
        <ConflictNote
          newer={outcome.newer}
          isWorking={isWorking}
          onTake={draft.takeNewer}
          onKeepOwn={draft.keepOwn}
        />
      )}
      {outcome.kind === 'not-deleted' && (
        <div className="failure" role="alert">
          <strong>{files.notDeleted}</strong>
          <ProblemList problems={outcome.problems} />
        </div>
      )}
      <Suspense fallback={<p className="quiet">{messages.loading}</p>}>
        <TextEditor
          key={round}
          ref={editor}
          text={text}
          label={files.textOf(shownPlace(place))}
          isSql={place.name.endsWith('.sql')}
          isEditable={editKnowledge}
          problems={problems}
          onChange={draft.type}
          onSave={draft.save}
        />
      </Suspense>
      {editKnowledge && (
        <FileStatus
          draft={draft}
          isNew={base.etag === undefined}
          problemCount={check.problems === undefined ? undefined : problems.length}
        />
      )}
      {check.failure !== undefined && <FailureNote failure={check.failure} />}
      <ProblemList problems={problems} onChoose={(problem) => editor.current?.goTo(problem)} />
    </>
  );
}

interface FileBarProps {
  readonly place: FilePlace;
  readonly draft: FileDraft;
}

function FileBar({ place, draft }: FileBarProps) {
  const { files } = useMessages();
  const { base, isDirty, isWorking, save, discard, remove } = draft;
  const isNew = base.etag === undefined;
  const ask = (question: string, act: () => void): void => {
    if (window.confirm(question)) act();
  };
  return (
    <div className="file-bar">
      <button type="button" className="primary" disabled={isWorking || !(isDirty || isNew)} onClick={save}>
        {isWorking ? files.saving : files.save}
      </button>
      {isDirty && (
        <button type="button" disabled={isWorking} onClick={() => ask(files.discardAsk, discard)}>
          {files.discard}
        </button>
      )}
      {!isNew && (
        <button
          type="button"
          disabled={isWorking}
          onClick={() => ask(files.deleteAsk(shownPlace(place)), remove)}
        >
          {files.delete}
        </button>
      )}
    </div>
  );
}
