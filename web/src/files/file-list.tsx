import { useState } from 'react';
import type { FileList as FilePage, FolderName, ListedFile } from '../api/contract.ts';
import { usePages } from '../api/use-pages.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useRights } from '../shell/me-context.ts';
import { hashOf } from '../shell/use-route.ts';
import { drafts } from './drafts.ts';
import type { FilePlace } from './file-api.ts';
import { FOLDER_NAMES } from './folders.ts';
import { NewFile } from './new-file.tsx';
import { UploadFile } from './upload-file.tsx';
import { usePerson } from './use-person.ts';

/** As many as the server gives at once. */
const PAGE = 1_000;
const filesOf = ({ files }: FilePage): readonly ListedFile[] => files;

/** Every file of the project, by folder. */
export function FileList() {
  const messages = useMessages();
  const { files } = messages;
  const { editKnowledge } = useRights();
  const [wanted, setWanted] = useState('');
  const { items, failure, isLoading, hasMore, more } = usePages<FilePage, ListedFile>({
    ...{ path: `/v1/files?limit=${PAGE}`, cursor: 'after', itemsOf: filesOf },
  });
  const isDenied = failure?.code === 'server.no-right';
  return (
    <>
      <p className="quiet">{files.knowledgeLine}</p>
      {failure !== undefined && <FailureNote failure={failure} />}
      {editKnowledge && !isDenied && (
        <div className="file-forms">
          <NewFile />
          <UploadFile />
        </div>
      )}
      {!isDenied && (
        <search className="explore-bar">
          <label>
            {files.findFile}
            <input
              type="search"
              value={wanted}
              maxLength={120}
              onChange={({ currentTarget }) => setWanted(currentTarget.value)}
            />
          </label>
        </search>
      )}
      {isLoading && items.length === 0 ? (
        <p className="quiet">{messages.loading}</p>
      ) : (
        !isDenied &&
        FOLDER_NAMES.map((folder) => (
          <Folder key={folder} folder={folder} listed={items} wanted={wanted.trim().toLowerCase()} />
        ))
      )}
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={more}>
          {files.moreFiles}
        </button>
      )}
    </>
  );
}

interface FolderProps {
  readonly folder: FolderName;
  readonly listed: readonly ListedFile[];
  readonly wanted: string;
}

/** Its files, those that were begun and never saved among them. */
function Folder({ folder, listed, wanted }: FolderProps) {
  const { files } = useMessages();
  const begun = drafts.of(usePerson()).filter(({ place }) => place.folder === folder);
  const own: readonly (FilePlace & Partial<ListedFile>)[] = [
    ...listed.filter((file) => file.folder === folder),
    ...begun
      .filter(({ place: { name } }) => !listed.some((file) => file.folder === folder && file.name === name))
      .map(({ place }) => place),
  ];
  const shown = own.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <section aria-labelledby={`folder-${folder}`}>
      <h3 id={`folder-${folder}`}>{folder}/</h3>
      <p className="quiet">{files.folderLines[folder]}</p>
      {shown.length === 0 && <p className="quiet">{own.length === 0 ? files.noFiles : files.noneFound}</p>}
      <ul className="lines">
        {shown.map(({ name, bytes, modifiedAt }) => (
          <li key={name} className="table-line">
            <a href={hashOf(['knowledge', folder, name])}>{name}</a>
            {bytes !== undefined && modifiedAt !== undefined && (
              <span className="quiet">{files.sizeAndDay(bytes, modifiedAt)}</span>
            )}
            {begun.some(({ place }) => place.name === name) && (
              <span className="badge badge-warn">{files.unsavedBadge}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
