/** The SQLite of Node where it is complete, else the package with the same interface. */
export type SqliteDriver = typeof import('@photostructure/sqlite');

/** Throws when neither is there, with what to install. */
export async function loadSqliteDriver(): Promise<SqliteDriver> {
  const builtIn = withoutWarning((): unknown => process.getBuiltinModule?.('node:sqlite'));
  if (isDriver(builtIn)) return builtIn;
  try {
    return await import('@photostructure/sqlite');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `SQLite needs the package @photostructure/sqlite on Node ${process.versions.node}: ${reason}`,
      { cause: error },
    );
  }
}

/** Node 22 calls its SQLite experimental at every start, in the terminal of whoever asks a question. What we use of it is checked below. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...about: unknown[]): void => {
    if (!`${warning}`.startsWith('SQLite is an experimental'))
      Reflect.apply(emitWarning, process, [warning, ...about]);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isDriver(module: unknown): module is SqliteDriver {
  if (typeof module !== 'object' || module === null || !('StatementSync' in module)) return false;
  const statement = module.StatementSync;
  return (
    typeof statement === 'function' &&
    'setReturnArrays' in statement.prototype &&
    'columns' in statement.prototype
  );
}
