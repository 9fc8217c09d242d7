/** Private mode of a session: its models are told no cell, and what slips through is held back. */
import { visibleGuesses } from './knowledge/index.ts';
import type { KnownSchema } from './known-facts.ts';
import type { LanguageModel } from './model/index.ts';
import { privately, valueProbe } from './reasoning/index.ts';

/** The models of a session, both under one probe over what the session knows of the values. */
export function keepPrivate<
  Models extends { readonly answers: LanguageModel; readonly reflects?: LanguageModel },
>(
  { answers, reflects }: Models,
  known: KnownSchema,
): { readonly answers: LanguageModel; readonly reflects?: LanguageModel } {
  const probe = valueProbe(known.values, schemaTexts(known));
  return {
    answers: privately(answers, probe),
    ...(reflects && { reflects: privately(reflects, probe) }),
  };
}

/** What people have written for models to read: names, types, descriptions, the semantic model, notes. */
function schemaTexts({ catalog, hiddenTables, semantics, authored }: KnownSchema): readonly string[] {
  const tables = catalog.tables.flatMap(({ id, name, comment = '', columns }) => [
    id,
    name,
    comment,
    ...columns.flatMap((column) => [column.name, column.type, column.comment ?? '']),
  ]);
  // What a model guessed that saw cells may tell them.
  const described = visibleGuesses(authored, { catalog, hiddenTables }, { isPrivate: true });
  const written = JSON.stringify({ ...authored, described });
  return [catalog.database, ...tables, JSON.stringify(semantics), written];
}
