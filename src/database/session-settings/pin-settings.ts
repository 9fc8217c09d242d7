/** Which settings a server takes, and what is said about the others. */
import { CandorError } from '../../errors.ts';
import type { Notice } from '../../results/index.ts';
import type { SessionSetting } from './session-setting.ts';

export interface PinnedSettings {
  /** Those that the server takes. */
  readonly pins: readonly SessionSetting[];
  /** Said with each answer of the session. */
  readonly notices: readonly Notice[];
}

export interface SettingAttempts {
  readonly settings: readonly SessionSetting[];
  /** Sets them at once; false when the server refuses any. */
  take(settings: readonly SessionSetting[]): Promise<boolean>;
  /** The present value of a watched setting; undefined where the server has none of that name. */
  read(name: string): string | undefined;
}

/**
 * All at once where the server takes them; else one after the other, to tell which it refuses. Throws
 * `database.setting-refused` where our reading of the text relies on one of those.
 */
export async function pinSettings({ settings, take, read }: SettingAttempts): Promise<PinnedSettings> {
  const wanted = settings.filter(({ hold }) => hold === 'pinned');
  const refused = (await take(wanted)) ? [] : await findRefused(wanted, take);
  const needed = refused.find(({ isRequired }) => isRequired);
  if (needed !== undefined) {
    throw new CandorError(
      'database.setting-refused',
      `the server does not take the setting ${needed.name} = ${needed.value}, which decides how a statement is read`,
    );
  }
  return {
    pins: wanted.filter((setting) => !refused.includes(setting)),
    notices: [...refused.map(refusedNotice), ...watchedNotices(settings, read)],
  };
}

/** Of watched settings whose present value is another one. */
export function watchedNotices(
  settings: readonly SessionSetting[],
  read: SettingAttempts['read'],
): readonly Notice[] {
  return settings
    .filter((setting) => setting.hold === 'watched' && differs(setting, read))
    .map(differingNotice);
}

function differs({ name, value }: SessionSetting, read: SettingAttempts['read']): boolean {
  const present = read(name);
  return present !== undefined && present.toLowerCase() !== value.toLowerCase();
}

async function findRefused(
  settings: readonly SessionSetting[],
  take: SettingAttempts['take'],
): Promise<readonly SessionSetting[]> {
  const refused: SessionSetting[] = [];
  for (const setting of settings) if (!(await take([setting]))) refused.push(setting);
  return refused;
}

function refusedNotice({ name, changes }: SessionSetting): Notice {
  return {
    code: 'setting-not-pinned',
    text: `The server does not take the setting ${name}; its own value may change rows (${changes}).`,
  };
}

/** The value itself is the server’s own and is left out: it could be any text. */
function differingNotice({ name, value, changes }: SessionSetting): Notice {
  return {
    code: 'setting-differs',
    text: `The server’s setting ${name} is not ${value}, and no session may set it; it may change rows (${changes}).`,
  };
}
