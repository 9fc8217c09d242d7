import { useCardActions } from './card-actions.ts';

interface SayChipProps {
  readonly label: string;
  /** What is said by it. */
  readonly says: string;
  readonly title?: string;
}

/** Something that may be said next, as a button; a text where nothing can be said. */
export function SayChip({ label, says, title }: SayChipProps) {
  const { say, isWorking, isReadOnly } = useCardActions();
  if (isReadOnly) return <span title={title}>{label}</span>;
  return (
    <button
      type="button"
      className="chip"
      disabled={isWorking}
      title={title}
      onClick={() => say({ text: says })}
    >
      {label}
    </button>
  );
}
