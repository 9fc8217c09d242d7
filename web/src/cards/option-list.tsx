import { SayChip } from './say-chip.tsx';

interface OptionListProps {
  readonly options: readonly { readonly label: string; readonly question: string; readonly sql?: string }[];
}

/** Options of a question back as buttons; the label of one answers it. */
export function OptionList({ options }: OptionListProps) {
  return (
    <section className="options">
      <ul className="chips">
        {options.map((option) => (
          <li key={option.label}>
            <SayChip label={option.label} says={option.label} title={option.question} />
          </li>
        ))}
      </ul>
    </section>
  );
}
