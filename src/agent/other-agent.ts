import { explainByModel } from './explain/explain-by-model.ts';
import { explainConcept } from './explain/explain-concept.ts';
import { explainCost, explainPart, explainQuery } from './explain/explain-query.ts';
import { explainTables } from './explain/explain-tables.ts';
import { whatCanBeAsked } from './explain/what-can-be-asked.ts';
import { forgetAgent, rememberAgent } from './remember-agent.ts';
import { tablesNamed } from './routing/read-reply.ts';
import { isWithdrawn, rememberedIn, rememberedRule } from './routing/remembered.ts';
import { sqlInText } from './routing/sql-in-text.ts';
import { says, saysNothingBut } from './routing/turn-phrases.ts';
import type { TurnContext } from './turn/turn-context.ts';
import { type Served, type ServedTurn, said } from './turn/turn-context.ts';

/** Questions about queries, tables and words, and what is no question at all. Source: LinkedIn, section 6. */
export async function otherAgent(asked: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { turn, talk, route } = asked;
  const { text } = turn;
  const { catalog } = turnContext.session;
  const remembered = rememberedIn(text) ?? rememberedRule(route.remember, text);
  if (remembered !== undefined) return rememberAgent(remembered, asked, turnContext);
  if (isWithdrawn(text)) return forgetAgent(asked, turnContext);
  if (says(text, 'small')) return greet(asked, turnContext);
  const given = sqlInText(text.trim())?.sql;
  if (says(text, 'tuning') || (given !== undefined && /\b(?:slow|faster|optimi[sz]e|speed)\b/i.test(text)))
    return explainCost(given, asked, turnContext);
  if (given !== undefined) return explainQuery(given, asked, turnContext);
  if (turnContext.modelRoles !== undefined && !isShown(text)) return explainByModel(asked, turnContext);
  if (route.followUp === 'why_column') return explainPart(asked, turnContext);
  const named = tablesNamed(text, catalog);
  if (named.length > 0 && saysNothingBut(text, named, catalog))
    return explainTables(named, talk, turnContext);
  if (says(text, 'tables') || (route.followUp === 'explain_tables' && named.length === 0))
    return explainTables(talk.tables, talk, turnContext);
  if (says(text, 'query')) return explainQuery(undefined, asked, turnContext);
  return explainConcept(asked, turnContext);
}

/** What is offered to be pressed is served without being read. */
function isShown(text: string): boolean {
  return /^(?:explain|describe) (?:this query|these tables|table .+)$/i.test(text.trim());
}

async function greet({ turn, talk }: ServedTurn, { session }: TurnContext): Promise<Served> {
  const { text, examples } = whatCanBeAsked(session);
  const isThanks = /^(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|ok|got it|bye|goodbye)/i.test(
    turn.text.trim(),
  );
  return isThanks ? said('You are welcome.', talk) : said(text, talk, examples);
}
