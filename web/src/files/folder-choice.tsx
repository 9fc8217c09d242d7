import type { FolderName } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FOLDER_NAMES, isFolderName } from './folders.ts';

interface FolderChoiceProps {
  readonly value: FolderName;
  readonly onChoose: (folder: FolderName) => void;
}

/** Which folder a file goes into. */
export function FolderChoice({ value, onChoose }: FolderChoiceProps) {
  const { files } = useMessages();
  return (
    <label>
      {files.folder}
      <select
        value={value}
        onChange={({ currentTarget }) => isFolderName(currentTarget.value) && onChoose(currentTarget.value)}
      >
        {FOLDER_NAMES.map((name) => (
          <option key={name} value={name}>
            {name}/
          </option>
        ))}
      </select>
    </label>
  );
}
