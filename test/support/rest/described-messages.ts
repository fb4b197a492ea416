import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Described {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, { readonly payload: object }>> }>>
  readonly components: object
}

/** Validates messages against the AsyncAPI document of a listener. @returns the problems; empty for a valid message */
export async function describedMessages(address: string): Promise<(name: string, content: unknown) => readonly unknown[]> {
  const response = await fetch(`${address}/asyncapi.json`, { signal: AbortSignal.timeout(10_000) })
  // a separate test validates the document itself
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
