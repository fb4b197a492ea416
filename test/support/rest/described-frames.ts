import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Described {
  readonly channels: { readonly expressions: { readonly messages: Readonly<Record<string, { readonly payload: object }>> } }
  readonly components: object
}

/** @returns what is wrong with a frame of /ws by the AsyncAPI document that its listener serves; empty: nothing */
export async function describedFrames(address: string): Promise<(frame: { readonly type: string }) => readonly unknown[]> {
  const response = await fetch(`${address}/asyncapi.json`, { signal: AbortSignal.timeout(10_000) })
  // held against its own schema by a test of its own
  const { channels, components } = (await response.json()) as Described
  const ajv = formats.default(new Ajv2020({ strict: false }))
  const checks = Object.entries(channels.expressions.messages).map(
    ([type, { payload }]) => [type, ajv.compile({ ...payload, components })] as const,
  )
  return (frame) => {
    const check = checks.find(([type]) => type === frame.type)?.[1]
    if (check === undefined) return [`no message is named ${frame.type}`]
    check(frame)
    return check.errors ?? []
  }
}
