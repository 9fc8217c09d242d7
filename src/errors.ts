/**
 * The error base and the one table of codes. Expected outcomes (clarify, reject, …) are values, see
 * `answer.ts`; what is thrown is a failure somebody has to act on, or a bug.
 */

/** Who has to act: the caller (wrong input), the environment (file, network, engine) or us. */
export type ErrorKind = 'caller' | 'environment' | 'bug';

interface ErrorEntry {
  readonly kind: ErrorKind;
  /** What to do next, one sentence, shown below the message. */
  readonly next: string;
}

/** Every code Candor throws. Codes are `stage.kebab-reason`; once published they are never reused. */
export const ERROR_TABLE = {
  'question.empty': {
    kind: 'caller',
    next: 'Ask in a sentence, for example: candor ask "how many orders in 2024?"',
  },
  'question.too-long': {
    kind: 'caller',
    next: 'Shorten the question to the part that asks for data (at most 2,000 characters).',
  },
  'question.not-asked': {
    kind: 'caller',
    next: 'Answer with a number or a label of the options, or in words that stand for the unclear ones.',
  },
  'question.assumption': {
    kind: 'caller',
    next: 'Name an id and a choice as the answer prints them under “assumed”: --assume time=all.',
  },
  'question.is-sql': {
    kind: 'caller',
    next: 'Ask in plain words, for example: "how many customers are in Germany?"',
  },
  'input.too-large': { kind: 'caller', next: 'Give one statement of SQL, not a dump or a log.' },
  'config.not-found': { kind: 'caller', next: 'Run `candor init` here, or name a database with --database.' },
  'config.invalid': {
    kind: 'caller',
    next: 'Correct the line named above; docs/guides/project-folder.md lists the keys.',
  },
  'config.missing-variable': {
    kind: 'caller',
    next: 'Set the variable in your environment and run the command again.',
  },
  'config.exists': {
    kind: 'caller',
    next: 'Edit the existing candor.yml, or choose another folder with --project.',
  },
  'demo.folder-in-use': { kind: 'caller', next: 'Choose another folder with --dir.' },
  'semantics.invalid': {
    kind: 'caller',
    next: 'Correct the file at the place named above; docs/guides/semantic-model.md shows the format.',
  },
  'examples.invalid': {
    kind: 'caller',
    next: 'Correct the file at the place named above; docs/guides/semantic-model.md shows a verified pair.',
  },
  'knowledge.invalid': {
    kind: 'caller',
    next: 'Correct the file at the place named above; docs/guides/knowledge.md shows the format.',
  },
  'knowledge.refused': { kind: 'caller', next: 'Correct what the message names and give the command again.' },
  'knowledge.locked': {
    kind: 'environment',
    next: 'Wait for the program that writes to finish, or close it, then give the command again.',
  },
  'knowledge.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'knowledge.too-large': {
    kind: 'caller',
    next: 'Ask for fewer components (`--components`), or leave out more users (`minTablesPerUser`).',
  },
  'interchange.invalid': {
    kind: 'caller',
    next: 'Correct the file at the place named above; docs/guides/interchange.md shows what each format may hold.',
  },
  'interchange.unknown-format': {
    kind: 'caller',
    next: 'Run `candor knowledge import --help` for the list of formats.',
  },
  'interchange.would-overwrite': {
    kind: 'caller',
    next: 'Choose another name with --name, or add --replace to write over what is there.',
  },
  'database.unknown-engine': {
    kind: 'caller',
    next: 'Use sqlite:path/to/file.db, duckdb:path/to/file.duckdb, or a URL of postgres, mysql, mariadb, trino, snowflake or bigquery.',
  },
  'database.not-found': {
    kind: 'caller',
    next: 'Check the path or the name; Candor never creates a database.',
  },
  'database.not-a-database': {
    kind: 'caller',
    next: 'Name a SQLite or DuckDB file, or data files: CSV, JSON, Parquet, Excel, or a folder of them.',
  },
  'database.corrupt': {
    kind: 'environment',
    next: 'Restore the file from a backup, or run the engine’s own integrity check.',
  },
  'database.locked': {
    kind: 'environment',
    next: 'Wait for the program that writes to finish, or close it, then try again.',
  },
  'database.empty-schema': {
    kind: 'caller',
    next: 'Point Candor at a database that has at least one table.',
  },
  'database.driver-missing': { kind: 'environment', next: 'Install the package named above.' },
  'database.query-failed': { kind: 'caller', next: 'Read the engine’s message above.' },
  'database.timeout': {
    kind: 'environment',
    next: 'Ask for less data, or raise limits.timeoutMs in candor.yml.',
  },
  'database.cancelled': { kind: 'caller', next: 'Nothing to do: the query was stopped on request.' },
  'database.executor-died': {
    kind: 'environment',
    next: 'Try again; if it happens twice, run `candor doctor`.',
  },
  'database.out-of-memory': {
    kind: 'caller',
    next: 'Ask for less at once: filter, aggregate or LIMIT earlier. The owner may raise embedded.memoryBytes or embedded.temporaryBytes in candor.yml.',
  },
  'database.invalid-url': {
    kind: 'caller',
    next: 'Write it as postgres://user:password@host:port/database (or mysql, trino, …), with what the message names.',
  },
  'database.unreachable': {
    kind: 'environment',
    next: 'Check host and port of the URL, and that the server runs and lets this machine in.',
  },
  'database.access-denied': {
    kind: 'caller',
    next: 'Check user, password and database of the URL, and that the user may read what is asked for.',
  },
  'database.connection-lost': {
    kind: 'environment',
    next: 'Try again; if it happens twice, look into the log of the database server.',
  },
  'database.tls-failed': {
    kind: 'environment',
    next: 'Check the TLS options of the URL (sslmode, ssl-mode) against what the server offers.',
  },
  'database.rows-cut': {
    kind: 'caller',
    next: 'Ask for less: a shorter recursion, or no LIMIT ROWS EXAMINED; the rows that came are not all.',
  },
  'database.setting-refused': {
    kind: 'environment',
    next: 'Let the account set the setting named above, or use a server of a version that knows it.',
  },
  'database.not-read-only': { kind: 'caller', next: 'Only one reading statement is allowed.' },
  'database.own-code': {
    kind: 'caller',
    next: 'Write it without that name; the owner of the project may allow it in `candor.yml` under `guard.allow`.',
  },
  'database.not-visible': {
    kind: 'caller',
    next: 'Name tables and columns of the catalog, written as it spells them.',
  },
  'database.not-restrictable': {
    kind: 'caller',
    next: 'Read the restricted table by its plain name: without sample, version or pivot, each column once.',
  },
  'database.policy-invalid': {
    kind: 'environment',
    next: 'Correct the access policy, or give the session the property it asks for.',
  },
  'database.too-expensive': {
    kind: 'caller',
    next: 'Ask for less data, or raise the cap named above.',
  },
  'database.overloaded': {
    kind: 'environment',
    next: 'Try again later: the database takes no more queries of this account for now.',
  },
  'database.bad-answer': {
    kind: 'environment',
    next: 'Check that the URL names the database itself and no proxy or login page before it.',
  },
  'catalog.unknown-name': { kind: 'caller', next: 'List the names with `candor catalog`.' },
  'catalog.stale': {
    kind: 'environment',
    next: 'Run `candor onboard` again: the database or the semantic model changed.',
  },
  'catalog.invalid': {
    kind: 'environment',
    next: 'Run `candor onboard` again; the derived files are rebuilt from the database.',
  },
  'catalog.not-writable': {
    kind: 'environment',
    next: 'Give yourself the right to write there, or choose another project folder with --project.',
  },
  'files.unusable': {
    kind: 'environment',
    next: 'Check the path named above: that it is what its name says, and that you may read or write it.',
  },
  'record.not-writable': {
    kind: 'environment',
    next: 'Give yourself the right to write there and ask again: no answer goes out without its record.',
  },
  'record.not-found': { kind: 'caller', next: 'List the records with `candor replay --list`.' },
  'record.no-question-back': {
    kind: 'caller',
    next: 'Give the id of a question back: `candor replay --list` shows those as clarify or follow_up.',
  },
  'record.invalid': {
    kind: 'caller',
    next: 'The record was written by another version or edited; ask the question again.',
  },
  'eval.data-missing': {
    kind: 'environment',
    next: 'Set CANDOR_DATA to the folder that holds the benchmark data.',
  },
  'eval.server-missing': {
    kind: 'environment',
    next: 'Set CANDOR_EVAL_POSTGRES (or CANDOR_EVAL_MARIADB) to a server that databases may be created on, or run scripts/eval-defog.ts (scripts/eval-broken.ts), which starts one.',
  },
  'bench.file-exists': {
    kind: 'caller',
    next: 'Give --resume to go on with it, or name another file with --out.',
  },
  'bench.nothing-to-ask': {
    kind: 'caller',
    next: 'Write down metrics and dimensions in semantics/*.yml; docs/guides/semantic-model.md shows how.',
  },
  'bench.other-project': {
    kind: 'caller',
    next: 'Name with --project the project that the benchmark was made for; where its database or semantic model has changed since, build the benchmark anew.',
  },
  'bench.needs-values': {
    kind: 'caller',
    next: 'Use a model on this machine (gguf:<file>) without model.private, or set model.private to false where the service may read them.',
  },
  'boundary.model-invalid': {
    kind: 'caller',
    next: 'Run `candor train boundary` again, or delete the file.',
  },
  'boundary.too-few': {
    kind: 'caller',
    next: 'Label more questions, in tests/*.yml or in a file given with --from; docs/guides/learned-boundary.md shows how.',
  },
  'eval.case-invalid': { kind: 'caller', next: 'Correct the question file at the place named above.' },
  'test.no-files': {
    kind: 'caller',
    next: 'Write questions with their outcomes into tests/*.yml, or name files; docs/guides/testing.md shows how.',
  },
  'test.nothing-selected': {
    kind: 'caller',
    next: 'Give another --tag or --filter, or none.',
  },
  'test.invalid-options': {
    kind: 'caller',
    next: 'Correct the options named above; `candor test --help` explains them.',
  },
  'test.cost-unknown': {
    kind: 'caller',
    next: 'Say what its tokens cost in candor.yml (model.price), or leave --max-cost out.',
  },
  'test.not-updated': {
    kind: 'caller',
    next: 'Write the expected SQL into the file by hand: its YAML is written in a way that cannot be edited safely.',
  },
  'eval.run-invalid': {
    kind: 'caller',
    next: 'Name a file that `candor eval` wrote for the same suite, or start a new run without --resume.',
  },
  'eval.mode-invalid': { kind: 'caller', next: 'Run `candor eval link --help` for sets, modes and options.' },
  'eval.words-invalid': {
    kind: 'caller',
    next: 'Correct the list of words: YAML with noun, adjective, place, person, organisation, synonyms.',
  },
  'eval.unknown-suite': { kind: 'caller', next: 'Run `candor eval --help` for the list of suites.' },
  'store.unusable': {
    kind: 'environment',
    next: 'Check that the folder can be written to and its disk has room; a damaged file in .candor/ may be deleted.',
  },
  'store.document-invalid': {
    kind: 'caller',
    next: 'Correct the name or text named above where it is written, then bring the index up to date again.',
  },
  'store.vector-invalid': {
    kind: 'environment',
    next: 'Check that the embedding model is the one named; vectors of another length need another model id.',
  },
  'model.none': {
    kind: 'caller',
    next: 'Name one with --model or in candor.yml (model.name), or leave out what needs one.',
  },
  'model.unknown': {
    kind: 'caller',
    next: 'Use one of the forms named above; docs/guides/embeddings.md and docs/guides/models.md explain them.',
  },
  'model.package-missing': { kind: 'environment', next: 'Install the package with the line named above.' },
  'model.not-found': {
    kind: 'caller',
    next: 'Check the path or the id; docs/guides/embeddings.md lists the files of a model folder.',
  },
  'model.invalid': {
    kind: 'environment',
    next: 'Use a model whose files were fetched whole: ONNX as docs/guides/embeddings.md lists, or GGUF as docs/guides/local-models.md says.',
  },
  'model.unreachable': {
    kind: 'environment',
    next: 'Check the URL and the network; the built-in embedding and the built-in engine need neither.',
  },
  'model.refused': {
    kind: 'caller',
    next: 'Check the key, the URL and the name of the model against what the service offers; a setting that it does not take is left out by model.refuses in candor.yml.',
  },
  'model.overloaded': {
    kind: 'environment',
    next: 'Try again later: the service takes no more requests of this account for now.',
  },
  'model.bad-reply': {
    kind: 'environment',
    next: 'Check that the URL is that of an OpenAI-compatible service or hub, and no proxy or login page before it.',
  },
  'model.would-leak': {
    kind: 'environment',
    next: 'Nothing was sent. Leave the value out of what people wrote (notes, descriptions), or set model.private to false.',
  },
  'model.invalid-reply': {
    kind: 'environment',
    next: 'Ask again; if it happens often, use a model that keeps to a JSON form, or --model none.',
  },
  'model.declined': {
    kind: 'environment',
    next: 'Ask in other words; where a content filter of the service is at work, loosen it there or name another model.',
  },
  'model.reply-cut': {
    kind: 'environment',
    next: 'Ask for less at once, raise model.contextWindow where the service reads more, or use a model that thinks less or may reply longer.',
  },
  'model.only-thoughts': {
    kind: 'environment',
    next: 'Let the model think less or not at all where its service can be told to, or name another model.',
  },
  'model.wrong-dimensions': {
    kind: 'environment',
    next: 'The model behind this name has changed: open it again, and its vectors are made anew.',
  },
  'model.process-ended': {
    kind: 'environment',
    next: 'Try again; if it happens twice, the machine may be short of memory: use a smaller model, or the embedding `hashed`.',
  },
  'model.context-full': {
    kind: 'caller',
    next: 'Start the service with a larger context and set model.contextWindow in candor.yml to what it reads, use a model that reads more, or ask with less: fewer tables, notes or examples.',
  },
  'model.budget-spent': {
    kind: 'caller',
    next: 'Raise `model.calls` or `model.tokens` in candor.yml, or ask a narrower question; docs/guides/models.md explains budgets.',
  },
  'model.not-recorded': {
    kind: 'caller',
    next: 'Record it as named above, which asks the real model, into a folder that can be written; then replay again.',
  },
  'model.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'linking.no-path': {
    kind: 'environment',
    next: 'Read the cause above: it is what stopped the reasoner; then ask again.',
  },
  'linking.invalid-settings': { kind: 'caller', next: 'Give the setting named above a value of its range.' },
  'linking.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'boosting.data-invalid': {
    kind: 'caller',
    next: 'Correct the training data or the setting named above.',
  },
  'boosting.model-invalid': {
    kind: 'environment',
    next: 'Train the model again, or restore the file: it was written by another version, cut off or edited.',
  },
  'boosting.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'softmax.data-invalid': {
    kind: 'caller',
    next: 'Correct the examples or the setting named above.',
  },
  'softmax.model-invalid': {
    kind: 'environment',
    next: 'Train the model again, or restore the file: it was written by another version, cut off or edited.',
  },
  'uncertainty.data-invalid': {
    kind: 'caller',
    next: 'Correct the rows, labels or setting named above.',
  },
  'uncertainty.model-invalid': {
    kind: 'environment',
    next: 'Train the model again, or restore the file: it was written by another version, cut off or edited.',
  },
  'uncertainty.model-missing': {
    kind: 'environment',
    next: 'Install Candor again; in a checkout, run `npx tsx scripts/train-uncertainty.ts`.',
  },
  'uncertainty.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'uncertainty.too-few-pairs': {
    kind: 'caller',
    next: 'Verify more answers (files in examples/) or store corrections with `candor review --corrected`.',
  },
  'engine.too-few-pairs': {
    kind: 'caller',
    next: 'Verify more answers: each file of examples/ holds a question and the SQL that is right for it.',
  },
  'engine.too-few-questions': {
    kind: 'caller',
    next: 'Train on more questions: give a higher --limit, or none.',
  },
  'engine.model-missing': {
    kind: 'environment',
    next: 'Install Candor again; in a checkout, run `candor train engine --from spider-train`.',
  },
  'engine.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'review.refused': {
    kind: 'caller',
    next: 'Correct what the message names and give the command again.',
  },
  'usage.unreadable-log': {
    kind: 'caller',
    next: 'Name a text file in UTF-8, plain or packed with gzip; what was read before the fault is kept.',
  },
  'usage.unknown-format': {
    kind: 'caller',
    next: 'Name the format with --format; `candor usage ingest --help` lists them.',
  },
  'usage.unknown-log': {
    kind: 'caller',
    next: 'Name a log that stands under `usage.logs` in candor.yml, or none for all of them; docs/guides/usage.md shows how to write one.',
  },
  'usage.no-live-source': {
    kind: 'environment',
    next: 'Ingest the log files of the server instead; docs/guides/usage.md shows how to make them.',
  },
  'usage.too-many-groups': {
    kind: 'caller',
    next: 'Name a view in `usage.logs` that leaves out what no person runs: one second of the log has too many different statements.',
  },
  'usage.busy': {
    kind: 'environment',
    next: 'Wait until the other ingestion has ended, then run the command again: nothing is counted twice.',
  },
  'usage.cancelled': {
    kind: 'caller',
    next: 'Run the same command again: it goes on where it stopped.',
  },
  'usage.nothing-ingested': {
    kind: 'caller',
    next: 'Read a query log first: candor usage ingest <log>',
  },
  'reward.invalid-request': {
    kind: 'caller',
    next: 'Correct the item at the place named above; docs/guides/reward.md shows what an item holds.',
  },
  'reward.too-large': { kind: 'caller', next: 'Send fewer items at a time.' },
  'reward.wrong-type': { kind: 'caller', next: 'Send JSON with the header Content-Type: application/json.' },
  'reward.wrong-method': { kind: 'caller', next: 'Use POST /v1/score and GET /healthz.' },
  'reward.unknown-route': { kind: 'caller', next: 'Use POST /v1/score and GET /healthz.' },
  'reward.wrong-host': { kind: 'caller', next: 'Name the server as localhost or 127.0.0.1 in the URL.' },
  'reward.overloaded': {
    kind: 'environment',
    next: 'Wait as long as the header Retry-After says and send the items again, or fewer at a time.',
  },
  'reward.closing': { kind: 'environment', next: 'Start the server again and send the items once more.' },
  'reward.not-loopback': {
    kind: 'caller',
    next: 'Use --host 127.0.0.1, or name the address that people open with --public-url and make users with `candor users add`.',
  },
  'reward.port-unusable': { kind: 'caller', next: 'Choose another port with --port, or 0 for any.' },
  'reward.no-embedding': {
    kind: 'caller',
    next: 'Name one with --embedding: built-in, hashed, openai:<model> or onnx:<folder or hub id>.',
  },
  'reward.cancelled': { kind: 'caller', next: 'Nothing to do: it was stopped on request.' },
  'server.invalid-request': {
    kind: 'caller',
    next: 'Correct the field named above; /openapi.json of the server says what it takes.',
  },
  'server.too-large': { kind: 'caller', next: 'Send less at a time.' },
  'server.wrong-type': { kind: 'caller', next: 'Send JSON with the header Content-Type: application/json.' },
  'server.wrong-host': { kind: 'caller', next: 'Name the server as localhost or 127.0.0.1 in the URL.' },
  'server.wrong-origin': {
    kind: 'caller',
    next: 'Open the page from the server itself; pages of other origins may not call it.',
  },
  'server.unknown-route': { kind: 'caller', next: 'See /openapi.json of the server for what there is.' },
  'server.not-found': { kind: 'caller', next: 'Check the id; what was deleted or is too old is gone.' },
  'server.changed': {
    kind: 'caller',
    next: 'Read the file again, bring your change into what stands there now, and save that.',
  },
  'server.no-version': {
    kind: 'caller',
    next: 'Send If-Match with the etag of the text that you change, or If-None-Match: * for a new file.',
  },
  'server.overloaded': {
    kind: 'environment',
    next: 'Wait as long as the header Retry-After says and send the request again.',
  },
  'server.busy': {
    kind: 'caller',
    next: 'Wait until the run in work has ended, or cancel it with POST /v1/runs/{id}/cancel.',
  },
  'server.closing': {
    kind: 'environment',
    next: 'Send the request once more: another server takes it, or this one once it is started again.',
  },
  'server.run-lost': {
    kind: 'environment',
    next: 'Send the same turn again, with the same Idempotency-Key: another server takes it, once.',
  },
  'server.not-loopback': {
    kind: 'caller',
    next: 'Use --host 127.0.0.1, or name what people open with --public-url and make users with `candor users add`.',
  },
  'project.conflict': {
    kind: 'caller',
    next: 'Compare the files (`candor project pull` into a second checkout), then move them with --force to take this side.',
  },
  'project.not-shared': {
    kind: 'caller',
    next: 'Name PostgreSQL under server.state in candor.yml; docs/guides/shared.md says how.',
  },
  'people.exists': {
    kind: 'caller',
    next: 'Give them another name, or a key with `candor users key <name>`.',
  },
  'people.unknown': {
    kind: 'caller',
    next: '`candor users list` shows who there is, with the first letters of their keys.',
  },
  'people.unknown-group': { kind: 'caller', next: 'Name the group under `server.groups` in candor.yml.' },
  'server.sign-in-needed': {
    kind: 'caller',
    next: 'Send a key as `Authorization: Bearer cnd_…`, or sign in on the page; an admin makes keys with `candor users key`.',
  },
  'server.too-many-tries': { kind: 'caller', next: 'Wait a minute, then try with the right key.' },
  'server.oidc-failed': {
    kind: 'caller',
    next: 'Sign in once more; the audit log (`candor users audit`) tells an admin why it did not work.',
  },
  'query.not-approved': {
    kind: 'caller',
    next: 'Run the answer in the web chat, or with POST /v1/records/{id}/rows; an admin may set `approval: allow` for your group.',
  },
  'server.no-right': { kind: 'caller', next: 'Ask an admin of this server for a group that may do it.' },
  'server.quota': {
    kind: 'caller',
    next: 'Wait until the hour is over, or ask an admin for a larger quota.',
  },
  'server.no-users': {
    kind: 'caller',
    next: 'Make one first: `candor users add <name> --admin` prints the key; or serve this machine alone.',
  },
  'server.no-reload': {
    kind: 'environment',
    next: 'Start the server again: it reads the project at its start.',
  },
  'server.no-web': {
    kind: 'environment',
    next: 'Run `npm run build` in the checkout; the API serves without it.',
  },
  'server.port-unusable': { kind: 'caller', next: 'Choose another port with --port, or 0 for any.' },
  'sql.not-given': {
    kind: 'caller',
    next: 'For example: candor sql "SELECT COUNT(*) FROM orders"; the help of the command has more',
  },
  'jobs.no-shared-state': {
    kind: 'caller',
    next: 'Set `server.state` in candor.yml to a PostgreSQL database (postgresql://…); docs/guides/jobs.md shows how.',
  },
  'jobs.unknown': { kind: 'caller', next: '`candor jobs list` shows the jobs of the last 30 days.' },
  'jobs.not-ended': {
    kind: 'caller',
    next: 'Wait for its end, cancel it first, or start a new one with `candor jobs start`.',
  },
  'jobs.worker-lost': {
    kind: 'environment',
    next: 'Look for what ends the workers (memory, as a rule), then run `candor jobs retry <id>`: it goes on where it stopped.',
  },
  'jobs.no-logs': {
    kind: 'caller',
    next: 'Name query logs under `jobs.logs` in candor.yml, or set `jobs.live: true` to ask the database itself.',
  },
  'jobs.unknown-project': {
    kind: 'caller',
    next: 'Name a workspace of `server.workspaces` in candor.yml, or none for the project itself.',
  },
  'talk.cancelled': { kind: 'caller', next: 'Nothing to do: the turn was stopped on request.' },
  'talk.invalid': {
    kind: 'caller',
    next: 'Give a file that `candor chat --talk` wrote, or none to begin a new talk.',
  },
  'talk.not-writable': { kind: 'environment', next: 'Give --talk a file in a folder that you may write to.' },
  'sql.too-large': {
    kind: 'caller',
    next: 'Ask in several smaller statements; put long lists of values into a table of the database.',
  },
  'sql.analysis-failed': {
    kind: 'caller',
    next: 'Ask in several shorter statements.',
  },
  'sql.parse-failed': { kind: 'caller', next: 'Correct the SQL at the place named above.' },
  'internal.bug': { kind: 'bug', next: 'Please report this with the command you ran.' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** The part of the product that failed: the word of a code before its dot. */
export type ErrorStage = ErrorCode extends `${infer Stage}.${string}` ? Stage : never;

export function stageOf(code: ErrorCode): ErrorStage {
  return code.slice(0, code.indexOf('.')) as ErrorStage;
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

/**
 * A failure with a stable code and its evidence. `message` says what happened and where; what to do next
 * comes from the table. Never put a secret or a data row in either.
 */
export class CandorError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CandorError';
    this.code = code;
    this.data = options.data ?? {};
  }

  get stage(): ErrorStage {
    return stageOf(this.code);
  }

  get kind(): ErrorKind {
    return ERROR_TABLE[this.code].kind;
  }

  get next(): string {
    return ERROR_TABLE[this.code].next;
  }
}

/** Ends a `switch` over a union: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new CandorError('internal.bug', `unreachable case: ${JSON.stringify(value)}`);
}

/** What was thrown, as an error with a code: a refusal of the file system is the environment's, the rest a bug. */
export function toCandorError(error: unknown): CandorError {
  if (error instanceof CandorError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isOfFiles = error instanceof Error && 'syscall' in error;
  return new CandorError(isOfFiles ? 'files.unusable' : 'internal.bug', message, { cause: error });
}
