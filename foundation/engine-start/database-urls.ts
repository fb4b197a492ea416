/** values of libpq's target_session_attrs that mean the primary, the only kind supported here */
const wantsPrimary = ['read-write', 'primary']

/**
 * Splits a PostgreSQL URL that may name several servers, `postgres://user:password@one:5432,two:5432/database`. @returns one URL per server;
 * undefined if the URL is invalid
 * @see PostgreSQL manual, "Database Connection Control Functions", Specifying Multiple Hosts
 */
export function databaseUrlsOf(given: string): readonly string[] | undefined {
  const [, scheme, who = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)([/?#].*)?$/.exec(given) ?? []
  const urls = hosts.split(',').map((host) => `${scheme}${who}${host.trim()}${rest}`)
  if (scheme === undefined || !urls.every((url) => URL.canParse(url))) return undefined
  const wanted = urls.map((url) => new URL(url).searchParams.get('target_session_attrs'))
  return wanted.every((attribute) => attribute === null || wantsPrimary.includes(attribute)) ? urls : undefined
}
