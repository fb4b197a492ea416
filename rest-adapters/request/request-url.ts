/**
 * Normalises a request target for the router: decodes its path as Python's servers do (invalid escapes stay, invalid UTF-8 becomes U+FFFD, an encoded
 * `/` is a `/`) and encodes it again, so that every target gets a response in the documented format.
 */
export function routableUrl(target: string): string {
  const local = target.startsWith('/') ? target : withoutOrigin(target)
  const query = local.indexOf('?')
  const path = query < 0 ? local : local.slice(0, query)
  if (!/[^\w/.~-]/.test(path)) return local
  return leniently(path).split('/').map(encoded).join('/') + (query < 0 ? '' : local.slice(query))
}

/** Removes the origin of the absolute form, which servers must accept (RFC 9112, section 3.2.2). */
function withoutOrigin(target: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return `/${target}`
  const { pathname, search } = new URL(target)
  return pathname + search
}

function leniently(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    const bytes: number[] = []
    for (let at = 0; at < path.length; at++) {
      const isEscape = /^%[0-9a-f]{2}/i.test(path.slice(at, at + 3))
      bytes.push(isEscape ? Number.parseInt(path.slice(at + 1, at + 3), 16) : path.charCodeAt(at))
      if (isEscape) at += 2
    }
    return Buffer.from(bytes).toString('utf8')
  }
}

function encoded(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
}
