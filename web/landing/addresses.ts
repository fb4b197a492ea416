import { factsOf } from '../shared/frame/facts.ts'
import type { LandingFacts, ShownComponent } from './facts.ts'

export const { components, version, publicUrl } = factsOf<LandingFacts>()

const gateway = new URL(publicUrl ?? location.href)

/** Where the graph is asked. */
export const graphAddress = `${gateway.origin}/graphql`

/** Where a component listens: another port of the gateway's host. @returns undefined when that is not known here */
export function addressOf(name: ShownComponent['name']): string | undefined {
  const port = components.find((component) => component.name === name)?.port
  return port === undefined ? undefined : `${gateway.protocol}//${gateway.hostname}:${port}`
}
