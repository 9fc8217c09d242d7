import { SayChip } from './say-chip.tsx';

interface OptionListProps {
  readonly title?: string;
  readonly options: readonly { readonly label: string; readonly question: string; readonly sql?: string }[];
  /** What is said when an option is taken: its label answers a question back, its question stands by itself. */
  readonly says?: 'label' | 'question';
}

/** Options as buttons. */
export function OptionList({ title, options, says = 'question' }: OptionListProps) {
  return (
    <section className="options">
      {title !== undefined && <h4>{title}</h4>}
      <ul className="chips">
        {options.map((option) => (
          <li key={option.label}>
            <SayChip label={option.label} says={option[says]} title={option.question} />
          </li>
        ))}
      </ul>
    </section>
  );
}
