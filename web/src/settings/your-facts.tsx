import { use } from 'react';
import type { Settings } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { MeContext } from '../shell/me-context.ts';
import { FactList } from './fact-list.tsx';

/** Who the page is of, and what they may do. */
export function YourFacts({ settings: { questions } }: { readonly settings: Settings }) {
  const { desk } = useMessages();
  const me = use(MeContext);
  if (me === undefined) return null;
  const { name, isAdmin, groups, rights, isSignedIn } = me;
  const may = { ...rights, isAdmin };
  const names = Object.entries(desk.rightNames) as [keyof typeof may, string][];
  return (
    <FactList
      title={desk.you}
      facts={[
        [desk.yourName, isSignedIn ? name : desk.thisMachine],
        [desk.groups, groups.length === 0 ? desk.noGroups : groups.join(', ')],
        [
          desk.rights,
          <ul key="rights" className="lines">
            {names.map(([right, what]) => (
              <li key={right}>
                {what}: {may[right] ? desk.yes : desk.no}
              </li>
            ))}
          </ul>,
        ],
        [
          desk.questions,
          questions === undefined ? desk.unbounded : desk.questionsLeft(questions.left, questions.perHour),
        ],
      ]}
    />
  );
}
