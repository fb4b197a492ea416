import { z } from 'zod'
import type { Clock } from '../../foundation/clock.ts'
import { Circuit } from '../../foundation/concurrency/circuit-breaker.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { boundedText } from '../../foundation/http/content.ts'
import type { LanguageModel, LanguageModelRequest } from './language-model.ts'

export interface OpenAiOptions {
  /** base URL of the API, without `/chat/completions` */
  readonly url: string
  readonly model: string
  readonly apiKey: string | undefined
  readonly limitMs: number
  readonly clock: Clock
}

const Completion = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullish(), message: z.object({ content: z.string() }) })).min(1),
})
const maxAnswerBytes = 64 * 1024
const maxAnswerTokens = 300
const retryEveryMs = 10_000

/**
 * Uses any service with OpenAI's chat completions and JSON Schema responses: OpenAI, vLLM, llama.cpp, Ollama, LM Studio and others.
 * @see https://platform.openai.com/docs/api-reference/chat/create (response_format: json_schema)
 */
export function openAiLanguageModel({ url, model, apiKey, limitMs, clock }: OpenAiOptions): LanguageModel {
  const circuit = new Circuit({ clock, engine: 'language model', answerLimitMs: limitMs, retryEveryMs })
  const address = `${url.replace(/(?<!\/)\/+$/, '')}/chat/completions`

  async function complete(question: LanguageModelRequest, signal: AbortSignal): Promise<unknown> {
    const response = await fetch(address, {
      method: 'POST',
      // a redirect could send the text and the key to a host that is not configured
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(requestOf(question, model)),
      signal,
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`POST ${address} returned HTTP ${response.status}: check LLM_URL, LLM_MODEL and LLM_API_KEY`)
    }
    const [choice] = Completion.parse(JSON.parse(await boundedText(response, maxAnswerBytes))).choices
    if (choice?.finish_reason != null && choice.finish_reason !== 'stop')
      throw new Error(`it ended with finish_reason "${choice.finish_reason.slice(0, 40)}"`)
    return JSON.parse(choice?.message.content ?? '')
  }

  return {
    name: model,
    limitMs,
    ask(question, read, signal) {
      return circuit.run(async () => {
        try {
          return read(await complete(question, AbortSignal.any([signal, AbortSignal.timeout(limitMs)])))
        } catch (error) {
          throw new EngineUnavailable('language model', error)
        }
      }, signal)
    },
  }
}

/** The text is a member of a JSON document in a separate message, so that no delimiter in it can end it. */
function requestOf({ name, instructions, text, schema }: LanguageModelRequest, model: string): unknown {
  return {
    model,
    temperature: 0,
    max_tokens: maxAnswerTokens,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: JSON.stringify({ text }) },
    ],
    response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
  }
}
