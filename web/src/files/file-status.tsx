import { useMessages } from '../i18n/use-messages.ts';
import type { FileDraft } from './use-file-draft.ts';

interface FileStatusProps {
  readonly draft: FileDraft;
  readonly isNew: boolean;
  /** Undefined: not checked yet. */
  readonly problemCount: number | undefined;
}

/** How things stand, in a line that is read out when it changes. */
export function FileStatus({ draft: { isDirty, outcome }, isNew, problemCount }: FileStatusProps) {
  const { files } = useMessages();
  const said = [
    ...(outcome.kind === 'saved' ? [files.saved] : []),
    ...(outcome.kind === 'not-saved' ? [files.notSaved] : []),
    ...(isNew ? [files.isNew] : isDirty ? [files.unsaved] : []),
    ...(problemCount === undefined ? [] : [files.problemCount(problemCount)]),
  ];
  return (
    <p role="status" className={problemCount ? 'note-warn' : 'quiet'}>
      {said.join(' ')}
    </p>
  );
}
