/** The documented REST interface, as this page uses it. */

const patienceMs = 60_000

/** An answer that refuses. */
export class Refusal extends Error {
  /**
   * @param {number} status - 0 when there was no answer
   * @param {string} message - a sentence for people
   * @param {{loc: (string|number)[], msg: string}[]} entries - what a 422 says about which member
   */
  constructor(status, message, entries = []) {
    super(message)
    this.status = status
    this.entries = entries
  }
}

const sentences = {
  401: 'The service does not know this API key.',
  403: 'This API key may not do that.',
  413: 'The images together are larger than the service takes in one request.',
  429: 'Too many requests just now. Wait a moment and try again.',
  503: 'The service cannot take requests just now. Wait a moment and try again.',
}

async function call(method, path, key, body) {
  let response
  try {
    response = await fetch(path, {
      method,
      headers: { 'X-Service-API-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
    })
  } catch {
    throw new Refusal(0, 'The service does not answer. Is it running, and is this device connected to it?')
  }
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  const { detail } = answer
  if (Array.isArray(detail)) throw new Refusal(response.status, 'The service found something wrong in the submission.', detail)
  throw new Refusal(response.status, sentences[response.status] ?? `The service answered: ${detail ?? response.status}`)
}

export const submit = (key, job) => call('POST', '/jobs/submit', key, job)
export const statusOf = (key, id) => call('GET', `/jobs/${encodeURIComponent(id)}`, key)
export const acknowledge = (key, id) => call('POST', '/jobs/ack', key, { job_ids: [id] })

/** The result of this job; undefined when it is not among the oldest thousand that wait for this key. */
export async function resultOf(key, id) {
  const { results } = await call('GET', '/jobs/results?limit=1000', key)
  return results.find(({ job_id }) => job_id === id)
}

export async function queueMetrics() {
  const response = await fetch('/queue', { signal: AbortSignal.timeout(4000) })
  if (!response.ok) throw new Refusal(response.status, 'no metrics')
  return response.json()
}
