import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import type { Mount } from '../../rest-adapters/rest-server.ts'

const kinds = ['genuine', 'impostor', 'expired', 'unreadable'] as const
type Kind = (typeof kinds)[number]

/** Serves sample citizens for the verification page in development, drawn on the first request, each as a body of `POST /jobs/submit`. */
export function sampleCitizens(log: Log): Mount {
  let drawing: Promise<Readonly<Record<Kind, string>>> | undefined
  // loads the drawing code on demand
  const draw = async (): Promise<Readonly<Record<Kind, string>>> => {
    const { drawCases } = await import('../../demonstration/cases.ts')
    const cases = await drawCases(new Date())
    return Object.fromEntries(kinds.map((kind, index) => [kind, JSON.stringify(cases[index]?.job)])) as Record<Kind, string>
  }
  const answer = async (response: ServerResponse, kind: Kind): Promise<void> => {
    drawing ??= draw()
    try {
      const drawn = await drawing
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(drawn[kind])
    } catch (error) {
      // the next request tries again
      drawing = undefined
      log.warn({ reason: messageOf(error) }, 'could not draw the demonstration citizens')
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
      response.end('{"detail":"The citizen could not be drawn"}')
    }
  }
  const path = '/pages/verification/drawn'
  return {
    path,
    handle({ url = '', method }: IncomingMessage, response: ServerResponse) {
      const name = url.split('?')[0]?.slice(path.length + 1)
      const kind = kinds.find((each) => name === `${each}.json`)
      if (kind !== undefined && method === 'GET') return void answer(response, kind)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
    },
  }
}
