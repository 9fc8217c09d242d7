import { useMemo } from 'react';
import { useMessages } from '../i18n/use-messages.ts';
import type { PageProps } from '../shell/pages.ts';
import '../explore.css';
import '../files.css';
import { FileList } from './file-list.tsx';
import { FileView } from './file-view.tsx';
import { isFolderName } from './folders.ts';

/** `#/knowledge`: the files of the project; `#/knowledge/semantics/shop.yml`: one of them. */
export default function KnowledgePage({ route: [folder, name] }: PageProps) {
  const messages = useMessages();
  const place = useMemo(
    () => (isFolderName(folder) && name !== undefined ? { folder, name } : undefined),
    [folder, name],
  );
  return (
    <div className="page explore">
      {place !== undefined && <FileView key={`${place.folder}/${place.name}`} place={place} />}
      {folder === undefined && <FileList />}
      {folder !== undefined && place === undefined && <p>{messages.notFound}</p>}
    </div>
  );
}
