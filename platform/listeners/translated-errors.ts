import type { FastifyInstance, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { addVary } from '../../foundation/http/vary.ts'
import { type Language, wordsIn } from '../../web/shared/words/words-in.ts'

/** English first: without Accept-Language, messages stay as they are. */
const available: readonly Language[] = ['en', 'fr', 'ar']

const Entry = z.looseObject({ code: z.string(), message: z.string() })
const GraphError = z.looseObject({
  message: z.string(),
  extensions: z.looseObject({ code: z.string().optional(), entries: z.array(Entry).optional() }).optional(),
})
const Refusal = z.looseObject({ errors: z.array(GraphError) })

/**
 * Translates the messages of errors in whole GraphQL responses to the language of Accept-Language where the pages have words for the code.
 * Codes never change; `extensions.detail` has the English message.
 */
export function translateErrors(server: FastifyInstance): void {
  server.addHook<string | Buffer | undefined>('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !payload.includes('"errors":[') || !isGraph(request)) return payload
    const { data: refusal } = Refusal.safeParse(parsed(payload))
    if (refusal === undefined) return payload
    addVary(reply, 'Accept-Language')
    const language = available.find((each) => each === new Negotiator(request.raw).language([...available]))
    if (language === undefined || language === 'en') return payload
    // Fastify sets that of the translation
    reply.removeHeader('content-length')
    return JSON.stringify({ ...refusal, errors: refusal.errors.map((error) => translated(error, language)) })
  })
}

const isGraph = ({ url }: FastifyRequest): boolean => url === '/graphql' || url.startsWith('/graphql?')

/** Streams and parts of a response are no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function translated(error: z.output<typeof GraphError>, language: Language): unknown {
  const { code, entries, ...details } = error.extensions ?? {}
  const { named } = wordsIn(language, {})
  const wordOf = (group: string, name: string, former: string): string => {
    const word = named(group, name)
    return word === name ? former : word
  }
  const message = wordOf('error', code ?? '', error.message)
  const texts = entries?.map((entry) => ({ ...entry, message: wordOf('entry', entry.code, entry.message) }))
  const detail = message === error.message ? {} : { detail: error.message }
  return { ...error, message, extensions: { ...(code !== undefined && { code }), ...details, ...(texts && { entries: texts }), ...detail } }
}
