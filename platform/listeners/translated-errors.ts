import type { FastifyInstance, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { addVary } from '../../foundation/http/content.ts'
import ar from '../../web/shared/words/rule-words/ar.json' with { type: 'json' }
import en from '../../web/shared/words/rule-words/en.json' with { type: 'json' }
import fr from '../../web/shared/words/rule-words/fr.json' with { type: 'json' }
import { type Language, type Words, wordsIn } from '../../web/shared/words/words-in.ts'

/** English first: without Accept-Language, messages stay as they are. */
const available: readonly Language[] = ['en', 'fr', 'ar']

const Entry = z.looseObject({ code: z.string(), message: z.string() })
const GraphError = z.looseObject({
  message: z.string(),
  extensions: z.looseObject({ code: z.string().optional(), entries: z.array(Entry).optional() }).optional(),
})
const GraphErrors = z.array(GraphError)

/** Beginning of each whole GraphQL response with errors: these come first. */
const beginning = '{"errors":'

/**
 * Translates the messages of errors in whole GraphQL responses to the language of Accept-Language where the pages have words for the code.
 * Codes never change; `extensions.detail` has the English message. The data of a response, which may be large, is not parsed.
 */
export function translateErrors(server: FastifyInstance): void {
  server.addHook<string | Buffer | undefined>('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !payload.startsWith(`${beginning}[`) || !isGraph(request)) return payload
    addVary(reply, 'Accept-Language')
    const language = preferredLanguage(request)
    if (language === undefined || language === 'en') return payload
    const end = endOfList(payload, beginning.length)
    const { data: errors } = GraphErrors.safeParse(parsed(payload.slice(beginning.length, end)))
    if (errors === undefined) return payload
    // Fastify sets that of the translation
    reply.removeHeader('content-length')
    return `${beginning}${JSON.stringify(errors.map((error) => translated(error, wordsOf(language))))}${payload.slice(end)}`
  })
}

function preferredLanguage({ raw }: FastifyRequest): Language | undefined {
  const preferred = new Negotiator(raw).language([...available])
  return available.find((each) => each === preferred)
}

const rules = { en, fr, ar }
const words = new Map<Language, Pick<Words<never>, 'named'>>()

function wordsOf(language: Language): Pick<Words<never>, 'named'> {
  const known = words.get(language) ?? wordsIn(language, rules[language])
  words.set(language, known)
  return known
}

/** Returns the index after a list in JSON. @param start - index of its first bracket */
function endOfList(json: string, start: number): number {
  let depth = 0
  let isText = false
  for (let index = start; index < json.length; index++) {
    const sign = json[index]
    if (isText) {
      if (sign === '\\') index++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') {
      depth--
      if (depth === 0) return index + 1
    }
  }
  return json.length
}

const isGraph = ({ url }: FastifyRequest): boolean => url === '/graphql' || url.startsWith('/graphql?')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function translated(error: z.output<typeof GraphError>, { named }: Pick<Words<never>, 'named'>): unknown {
  const { code, entries, ...details } = error.extensions ?? {}
  const wordOf = (group: string, name: string, former: string): string => {
    const word = named(group, name)
    return word === name ? former : word
  }
  const message = wordOf('error', code ?? '', error.message)
  const texts = entries?.map((entry) => ({ ...entry, message: wordOf('entry', entry.code, entry.message) }))
  const detail = message === error.message ? {} : { detail: error.message }
  return { ...error, message, extensions: { ...(code !== undefined && { code }), ...details, ...(texts && { entries: texts }), ...detail } }
}
