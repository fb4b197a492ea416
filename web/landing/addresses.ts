import { factsOf } from '../shared/frame/page-document.ts'
import type { LandingFacts, ShownComponent } from './facts.ts'

export const { components, version, publicUrl } = factsOf<LandingFacts>()

const gateway = new URL(publicUrl ?? location.href)

/** Returns the address of the GraphQL endpoint. */
export const graphAddress = `${gateway.origin}/graphql`

/**
 * Returns the address of a component: another port of the gateway's host.
 * @returns undefined when the port is unknown
 */
export function addressOf(name: ShownComponent['name']): string | undefined {
  const port = components.find((component) => component.name === name)?.port
  return port === undefined ? undefined : `${gateway.protocol}//${gateway.hostname}:${port}`
}
