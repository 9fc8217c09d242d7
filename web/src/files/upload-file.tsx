import { type FormEvent, useState } from 'react';
import type { FolderName } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { shownPlace } from './file-api.ts';
import { FolderChoice } from './folder-choice.tsx';
import { FOLDERS } from './folders.ts';
import { ProblemList } from './problem-list.tsx';
import { type Upload, useUpload } from './use-upload.ts';

/** Brings a file of the disk into a folder. */
export function UploadFile() {
  const { files } = useMessages();
  const [folder, setFolder] = useState<FolderName>('semantics');
  const { outcome, upload, replace } = useUpload();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const file = new FormData(event.currentTarget).get('file');
    if (file instanceof File && file.name !== '') upload({ folder, name: file.name }, file);
  };
  return (
    <form onSubmit={submit} aria-label={files.upload}>
      <div className="explore-bar">
        <FolderChoice value={folder} onChoose={setFolder} />
        <label>
          {files.file}
          <input type="file" name="file" required accept={FOLDERS[folder]} />
        </label>
        <button type="submit" disabled={outcome.kind === 'working'}>
          {files.upload}
        </button>
      </div>
      <UploadNote outcome={outcome} replace={replace} />
    </form>
  );
}

function UploadNote({ outcome, replace }: Pick<Upload, 'outcome' | 'replace'>) {
  const { files } = useMessages();
  if (outcome.kind === 'none' || outcome.kind === 'working') return null;
  if (outcome.kind === 'failed') return <FailureNote failure={outcome.failure} />;
  const shown = shownPlace(outcome.place);
  return (
    <div className="failure" role="alert">
      {outcome.kind === 'no-text' && files.noText(shown)}
      {outcome.kind === 'refused' && (
        <>
          <strong>{files.notUploaded(shown)}</strong>
          <ProblemList problems={outcome.problems} />
        </>
      )}
      {outcome.kind === 'there' && (
        <>
          {files.isThere(shown)}{' '}
          <button type="button" onClick={() => replace(outcome.place, outcome.text)}>
            {files.replace}
          </button>
        </>
      )}
    </div>
  );
}
