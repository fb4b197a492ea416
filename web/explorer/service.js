/** The documented REST interface, as this page uses it. */

const patienceMs = 12_000

/**
 * @param {string} path @param {Record<string, string | number | undefined>} query - undefined and empty values are left out
 * @throws {Error} when there is no answer, or one that refuses
 */
async function read(path, query, signal) {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
  )
  const text = parameters.toString()
  const limits = [AbortSignal.timeout(patienceMs), ...(signal === undefined ? [] : [signal])]
  // The browser asks with the tag of what it has; a 304 comes out of its own store.
  const response = await fetch(text === '' ? path : `${path}?${text}`, { cache: 'no-cache', signal: AbortSignal.any(limits) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

export const readMap = (query, signal) => read('/api/v1/map', query, signal)
export const readDomains = (signal) => read('/api/v1/domains', {}, signal)
export const readStats = (query, signal) => read('/api/v1/stats', query, signal)
