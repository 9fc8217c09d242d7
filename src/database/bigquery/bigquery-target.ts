/** What a `bigquery://` URL says. */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { readNamedFile, readToken, readWarehouseUrl, redactUrl } from '../http/connection-url.ts';
import { readPrivateKey } from '../http/sign-jwt.ts';

const RULES = {
  form: 'bigquery://project[/dataset or /project.dataset][?location=EU&credentials=key.json or &access_token=…][&maximum_bytes_billed=…][&endpoint=https://…]',
  mostNames: 1,
  options: ['location', 'credentials', 'access_token', 'maximum_bytes_billed', 'endpoint'],
};
const SERVICE = 'https://bigquery.googleapis.com';
/** What Google calls a service account key: https://cloud.google.com/iam/docs/keys-create-delete */
const KEY_FILE = z.object({
  type: z.literal('service_account'),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url(),
});

/** A key that is exchanged for tokens, or a token that somebody made. */
export type BigqueryLogin =
  | {
      readonly kind: 'key';
      readonly email: string;
      readonly key: KeyObject;
      readonly tokenUri: string;
      /** The person that the account acts for, by domain-wide delegation. */
      readonly subject?: string;
    }
  | { readonly kind: 'token'; readonly token: string };

export interface BigqueryTarget {
  /** Without secrets. */
  readonly url: string;
  readonly name: string;
  readonly origin: string;
  /** The project that pays. */
  readonly project: string;
  readonly login: BigqueryLogin;
  /** The project that holds the data; often the same. */
  readonly dataProject: string;
  readonly dataset: string | undefined;
  /** As the URL says; the dataset knows its own. */
  readonly location: string | undefined;
  readonly maximumBytesBilled: string | undefined;
}

/** Throws `database.invalid-url`. */
export function readBigqueryUrl(text: string, baseDirectory?: string): BigqueryTarget {
  const url = readWarehouseUrl(text, RULES);
  const { options, hostname: project } = url;
  const path = url.names[0];
  const dot = path?.lastIndexOf('.') ?? -1;
  const maximum = options.get('maximum_bytes_billed');
  if (maximum !== undefined && !/^[1-9]\d*$/.test(maximum)) {
    throw new CandorError(
      'database.invalid-url',
      'the option maximum_bytes_billed is a whole number of bytes',
    );
  }
  return {
    url: redactUrl(text),
    name: path?.slice(dot + 1) ?? project,
    origin: originOf(options.get('endpoint') ?? SERVICE),
    project,
    login: readLogin(options, baseDirectory),
    dataProject: dot > 0 ? (path?.slice(0, dot) ?? project) : project,
    dataset: path?.slice(dot + 1),
    location: options.get('location'),
    maximumBytesBilled: maximum,
  };
}

function originOf(endpoint: string): string {
  try {
    return new URL(endpoint).origin;
  } catch {
    throw new CandorError('database.invalid-url', 'the option endpoint is not a URL such as https://host');
  }
}

function readLogin(options: ReadonlyMap<string, string>, baseDirectory: string | undefined): BigqueryLogin {
  const token = options.get('access_token');
  if (token !== undefined) return { kind: 'token', token: readToken('access_token', token) };
  const file = options.get('credentials');
  if (file === undefined) {
    throw new CandorError(
      'database.invalid-url',
      `a BigQuery URL names credentials or an access_token; the form is ${RULES.form}`,
    );
  }
  const text = readNamedFile('credentials', file, baseDirectory);
  let parsed: z.infer<typeof KEY_FILE>;
  try {
    parsed = KEY_FILE.parse(JSON.parse(text));
  } catch {
    // The reason is left out: words about the file may quote the key.
    throw new CandorError(
      'database.invalid-url',
      'the file of credentials is not the key of a service account',
    );
  }
  return {
    kind: 'key',
    email: parsed.client_email,
    key: readPrivateKey('credentials', parsed.private_key),
    tokenUri: parsed.token_uri,
  };
}
