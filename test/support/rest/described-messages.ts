import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Described {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, { readonly payload: object }>> }>>
  readonly components: object
}

/** @returns what is wrong with a message of a listener by the AsyncAPI document that it serves; empty: nothing */
export async function describedMessages(address: string): Promise<(name: string, content: unknown) => readonly unknown[]> {
  const response = await fetch(`${address}/asyncapi.json`, { signal: AbortSignal.timeout(10_000) })
  // held against its own schema by a test of its own
  const { channels, components } = (await response.json()) as Described
  const ajv = formats.default(new Ajv2020({ strict: false }))
  const checks = new Map(
    Object.values(channels).flatMap(({ messages }) =>
      Object.entries(messages).map(([name, { payload }]) => [name, ajv.compile({ ...payload, components })] as const),
    ),
  )
  return (name, content) => {
    const check = checks.get(name)
    if (check === undefined) return [`no message is named ${name}`]
    check(content)
    return check.errors ?? []
  }
}
