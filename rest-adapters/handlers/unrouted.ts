import type { FastifyInstance } from 'fastify'
import { refusal } from '../response/fault-to-http.ts'
import { sendRefusal } from '../response/respond.ts'
import { documentedPath } from '../route/endpoint.ts'
import type { Route } from '../route/route.ts'

/** What no route answers: 405 with Allow for a wrong method, 307 to the path without its last slashes, 404. */
export function answerUnrouted(server: FastifyInstance, routes: readonly Route[]): void {
  const places = routes.map(({ method, path }) => ({
    method,
    // linear: paths of our own routes, whose parts exclude the slash
    pattern: new RegExp(
      `^${documentedPath(path)
        .replace(/\{\w+\}/g, '[^/]+')
        .replaceAll('.', '\\.')}$`,
    ),
  }))
  server.setNotFoundHandler(async (request, reply) => {
    const [path = '', ...query] = request.url.split('?')
    // the first route of that path decides, as in the reference implementation
    const place = places.find(({ pattern }) => pattern.test(path))
    if (place !== undefined) return sendRefusal(reply, refusal(405, 'Method Not Allowed', { allow: place.method }))
    const shorter = withoutLastSlashes(path)
    if (shorter !== path && places.some(({ pattern }) => pattern.test(shorter)))
      return reply
        .code(307)
        .header('location', [shorter, ...query].join('?'))
        .send()
    return sendRefusal(reply, refusal(404, 'Not Found'))
  })
}

/** Not by a regular expression: one that ends with `$` begins again at each of thousands of slashes. */
function withoutLastSlashes(path: string): string {
  let end = path.length
  while (path.charAt(end - 1) === '/') end--
  return path.slice(0, end)
}
