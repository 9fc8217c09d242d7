import type { ProjectFile } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useRights } from '../shell/me-context.ts';
import { hashOf } from '../shell/use-route.ts';
import { type FilePlace, NO_FILE, pathOf, shownPlace } from './file-api.ts';
import { FileEditor } from './file-editor.tsx';

/** One file. The address of one that is not there begins it. */
export function FileView({ place }: { readonly place: FilePlace }) {
  const messages = useMessages();
  const { editKnowledge } = useRights();
  const { reply, failure } = useReply<ProjectFile>(pathOf(place));
  const isNew = editKnowledge && failure?.code === 'server.not-found';
  const kept = isNew ? NO_FILE : reply;
  return (
    <article aria-busy={kept === undefined && failure === undefined}>
      <p>
        <a href={hashOf(['knowledge'])}>← {messages.files.allFiles}</a>
      </p>
      <h2>{shownPlace(place)}</h2>
      {failure !== undefined && !isNew && <FailureNote failure={failure} />}
      {kept === undefined && failure === undefined && <p className="quiet">{messages.loading}</p>}
      {kept !== undefined && <FileEditor place={place} kept={kept} />}
    </article>
  );
}
