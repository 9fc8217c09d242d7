import { pinned, required, type SessionSetting, watched } from './session-setting.ts';

export interface MysqlProduct {
  readonly isMariadb: boolean;
  /** As the server says it: `10.11.19-MariaDB-0+deb12u1`. */
  readonly version: string;
}

/** A row of the table; of both products and every version where it does not say. */
interface MysqlSetting extends SessionSetting {
  /** The first version that has it, and the first that has it no more. */
  readonly since?: Version;
  readonly until?: Version;
}

type Version = readonly [major: number, minor: number];

function mariadb(
  setting: SessionSetting,
  versions: Pick<MysqlSetting, 'since' | 'until'> = {},
): MysqlSetting {
  return { ...setting, only: 'MariaDB', ...versions };
}

function mysql(setting: SessionSetting): MysqlSetting {
  return { ...setting, only: 'MySQL' };
}

/** Beside the names of the connection's encoding, which decide the default collation anew. */
function collation(value: string): SessionSetting {
  return pinned(
    'collation_connection',
    value,
    'which texts of a statement are equal, and how they are sorted',
  );
}

/** GROUP_CONCAT is cut there with no more than a warning, which we turn into a notice. */
const GROUP_CONCAT_BYTES = 1_048_576;
/** Far above what dates and hierarchies take; a recursion without end still meets the time limit before the disk is full. */
const RECURSIONS = 1_000_000;

const MODES_CHANGE =
  'ANSI_QUOTES, NO_BACKSLASH_ESCAPES, PIPES_AS_CONCAT, HIGH_NOT_PRECEDENCE and IGNORE_SPACE change how a text is read; EMPTY_STRING_IS_NULL, NO_UNSIGNED_SUBTRACTION, PAD_CHAR_TO_FULL_LENGTH, REAL_AS_FLOAT and TIME_ROUND_FRACTIONAL what it computes';

/**
 * The modes are the complete list. ONLY_FULL_GROUP_BY is MySQL's default and refuses results that hang on chance;
 * MariaDB's does not know that a key determines its row, so it would refuse sound queries, and stays off there.
 * ERROR_FOR_DIVISION_BY_ZERO makes no error of a reading statement: it is what makes the server warn.
 */
export const MYSQL_SETTINGS: readonly MysqlSetting[] = [
  mysql(
    required(
      'sql_mode',
      "'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'",
      MODES_CHANGE,
    ),
  ),
  mariadb(
    required(
      'sql_mode',
      "'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
      MODES_CHANGE,
    ),
  ),
  mariadb(pinned('old_mode', "'UTF8_IS_UTF8MB3'", 'how older versions read times as dates'), {
    since: [10, 6],
  }),
  mysql(collation('utf8mb4_0900_ai_ci')),
  mariadb(collation('utf8mb4_general_ci'), { until: [11, 5] }),
  mariadb(collation('utf8mb4_uca1400_ai_ci'), { since: [11, 5] }),
  pinned('time_zone', "'+00:00'", 'NOW(), and how timestamps are read and printed'),
  pinned('lc_time_names', "'en_US'", 'the names of days and months that DATE_FORMAT writes'),
  pinned('default_week_format', '0', 'which week WEEK(day) counts as the first'),
  pinned('sql_auto_is_null', '0', '1: x IS NULL finds the row that was inserted last'),
  pinned('div_precision_increment', '8', 'the digits of a division; by default 4, too few for a rate'),
  pinned('group_concat_max_len', String(GROUP_CONCAT_BYTES), 'where GROUP_CONCAT is cut'),
  pinned('max_sort_length', '1024', 'how many bytes of a long text count when rows are sorted'),
  pinned('max_error_count', '64', '0: the warnings of the engine are not told'),
  mariadb(pinned('max_recursive_iterations', String(RECURSIONS), 'where a recursive common table is cut')),
  mysql(
    pinned('cte_max_recursion_depth', String(RECURSIONS), 'where a recursive common table ends in an error'),
  ),
  mariadb(
    pinned('standard_compliant_cte', '1', '0: a recursive common table sees the rows of all its steps'),
  ),
  mariadb(pinned('default_regex_flags', "''", 'what REGEXP finds')),
  mariadb(
    pinned('system_versioning_asof', 'DEFAULT', 'a moment: versioned tables show the rows of that time'),
  ),
  mysql(pinned('windowing_use_high_precision', '1', '0: sums over a window lose digits')),
  watched('ft_boolean_syntax', '+ -><()~*:""&|', 'what signs in a search of a full-text index mean'),
];

/** Told to the server in the statement that makes the session a reading one. */
export const MYSQL_ISOLATION = pinned(
  'ISOLATION LEVEL',
  'REPEATABLE READ',
  'READ UNCOMMITTED: rows are shown that may never be written',
);

/** The rows of the table that this server has, in the order in which they are set. */
export function mysqlSettings(product: MysqlProduct): readonly SessionSetting[] {
  const name = product.isMariadb ? 'MariaDB' : 'MySQL';
  return MYSQL_SETTINGS.filter(
    ({ only, since, until }) =>
      (only === undefined || only === name) &&
      (since === undefined || isSince(product, since)) &&
      (until === undefined || !isSince(product, until)),
  );
}

function isSince({ version }: MysqlProduct, [first, second]: Version): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > first || (major === first && minor >= second);
}
