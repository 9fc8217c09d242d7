import type { Answered, Assumption } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { useCardActions } from './card-actions.ts';

/** What was taken for granted; the last answer can be had otherwise. */
export function Assumptions({ answer: { assumptions } }: { readonly answer: Answered }) {
  const messages = useMessages();
  if (assumptions.length === 0) return null;
  return (
    <section className="assumptions">
      <h4>{messages.assumptions}</h4>
      <ul>
        {assumptions.map((one) => (
          <li key={`${one.kind} ${one.id} ${one.text}`}>
            {one.text} <Effects assumption={one} /> <Otherwise assumption={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What each other choice would change: "all rows in first place: 3 rows instead of 1". */
function Effects({ assumption: { alternatives = [] } }: { readonly assumption: Assumption }) {
  const messages = useMessages();
  const told = alternatives.flatMap(({ label, effect }) =>
    effect === undefined ? [] : [`${label}: ${messages.effect(effect)}`],
  );
  return told.length === 0 ? null : <span className="effects">({told.join('; ')})</span>;
}

function Otherwise({ assumption: { id, text, alternatives = [] } }: { readonly assumption: Assumption }) {
  const messages = useMessages();
  const { say, isLast, isWorking } = useCardActions();
  if (id === undefined || alternatives.length === 0 || !isLast) return null;
  const take = (choice: string): void => {
    const label = alternatives.find((one) => one.choice === choice)?.label ?? choice;
    if (choice !== '') say({ text: '', assume: { [id]: choice } }, label);
  };
  return (
    <select
      aria-label={messages.takeInstead(text)}
      disabled={isWorking}
      value=""
      onChange={({ currentTarget }) => take(currentTarget.value)}
    >
      <option value="">{messages.asIs}</option>
      {alternatives.map(({ choice, label }) => (
        <option key={choice} value={choice}>
          {label}
        </option>
      ))}
    </select>
  );
}
