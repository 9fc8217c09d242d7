import { useMessages } from '../i18n/use-messages.ts';
import { SayChip } from './say-chip.tsx';

interface NearestListProps {
  readonly nearest: readonly string[];
  /** They are figures, each a question by itself. */
  readonly areFigures?: boolean;
}

/** What there is in place of what was looked for. */
export function NearestList({ nearest, areFigures = false }: NearestListProps) {
  const messages = useMessages();
  if (nearest.length === 0) return null;
  return (
    <section>
      <h4>{messages.nearest}</h4>
      <ul className="chips">
        {nearest.map((name) => (
          <li key={name}>
            {areFigures ? <SayChip label={name} says={name} /> : <span className="near">{name}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
