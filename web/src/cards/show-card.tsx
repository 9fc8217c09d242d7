import type { Card } from '../api/contract.ts';
import { AbstainCard } from './abstain-card.tsx';
import { AnswerCard } from './answer-card.tsx';
import { FixCard } from './fix-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { RejectCard } from './reject-card.tsx';
import { TablesCard } from './tables-card.tsx';

/** A card of whatever kind. */
export function ShowCard({ card }: { readonly card: Card }) {
  switch (card.kind) {
    case 'text':
      return <p className="card card-text">{card.text}</p>;
    case 'tables':
      return <TablesCard tables={card.tables} isChoice={card.isChoice} />;
    case 'fix':
      return <FixCard fix={card.fix} />;
    case 'answer':
      break;
  }
  const { answer, rowsLeftOut } = card;
  switch (answer.kind) {
    case 'answered':
      return <AnswerCard answer={answer} rowsLeftOut={rowsLeftOut} />;
    case 'clarify':
    case 'follow_up':
      return <QuestionCard answer={answer} />;
    case 'reject':
      return <RejectCard answer={answer} />;
    case 'abstain':
      return <AbstainCard answer={answer} />;
  }
}
