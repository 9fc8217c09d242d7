import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, FolderName } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { goTo } from '../shell/use-route.ts';
import { FolderChoice } from './folder-choice.tsx';
import { FOLDERS } from './folders.ts';

/** Begins a file; it is there once it is saved. */
export function NewFile() {
  const { files } = useMessages();
  const [folder, setFolder] = useState<FolderName>('knowledge');
  const [failure, setFailure] = useState<Failure>();
  const begin = async (name: string): Promise<void> => {
    try {
      // The server knows which names it would read there.
      await request('/v1/files/check', { body: { folder, name, text: '' } });
      goTo(['knowledge', folder, name]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void begin(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  return (
    <form onSubmit={submit} aria-label={files.newFile}>
      <div className="explore-bar">
        <FolderChoice value={folder} onChoose={setFolder} />
        <label>
          {files.name}
          <input name="name" required maxLength={120} placeholder={files.nameHint(FOLDERS[folder])} />
        </label>
        <button type="submit">{files.newFile}</button>
      </div>
      {failure !== undefined && <FailureNote failure={failure} />}
    </form>
  );
}
