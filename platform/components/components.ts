import type { ComponentName } from '../../foundation/component-names.ts'
import type { Subgraph } from '../../foundation/graphql/subgraph.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Roles } from '../process/roles.ts'
import type { Component, ComponentOptions } from './component.ts'

/**
 * A component is loaded when it is built: a process holds the code and the tables of its own roles only (a worker of verification
 * 300 MB less than all).
 */
const components: Readonly<Record<ComponentName, () => Promise<Component>>> = {
  verification: async () => (await import('./verification.ts')).verification,
  exploration: async () => (await import('./exploration.ts')).exploration,
  classification: async () => (await import('./classification.ts')).classification,
  administration: async () => (await import('./administration.ts')).administration,
  content: async () => (await import('./content.ts')).content,
}

/** A component's subgraph, without what runs beside it. */
export async function createSubgraph(name: ComponentName, options: ComponentOptions): Promise<Subgraph> {
  const component = await components[name]()
  return (await component.subgraph(options)).subgraph
}

/** What the components of a process answer and do. */
export interface BuiltComponents {
  readonly subgraphs: readonly Subgraph[]
  /** those that are used, in the order in which they are opened */
  readonly engines: readonly Part[]
  /** in the order in which they start */
  readonly parts: readonly Part[]
}

/** Subgraphs, workers and upkeep of the chosen roles. @throws {Error} for the worker of a component that has none */
export async function buildComponents({ subgraphs, workers }: Roles, options: ComponentOptions): Promise<BuiltComponents> {
  const answering = []
  const upkeep: Part[] = []
  for (const name of subgraphs) {
    const component = await components[name]()
    answering.push(await component.subgraph(options))
    if (component.upkeep !== undefined) upkeep.push(component.upkeep(options))
  }
  const working = []
  for (const name of workers) {
    const { worker } = await components[name]()
    if (worker === undefined) throw new Error(`${name} has no worker`)
    working.push(await worker(options))
  }
  const built = [...answering, ...working]
  const background = new Set(built.flatMap((each) => each.background))
  return {
    engines: [...new Set(built.flatMap((each) => each.engines))],
    subgraphs: answering.map(({ subgraph }) => subgraph),
    parts: [...background, ...working.map(({ worker }) => worker), ...upkeep],
  }
}
