import type { Part } from '../../foundation/lifecycle.ts'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import type { Subgraph } from '../../foundation/subgraph/subgraph.ts'
import type { Roles } from '../process/roles.ts'
import type { Component, ComponentOptions } from './component.ts'

/** Components are loaded when they are built, so that a process loads only the code of its roles (a verification worker takes 300 MB less). */
const components: Readonly<Record<ComponentName, () => Promise<Component>>> = {
  verification: async () => (await import('./verification.ts')).verification,
  exploration: async () => (await import('./exploration.ts')).exploration,
  classification: async () => (await import('./classification.ts')).classification,
  administration: async () => (await import('./administration.ts')).administration,
  content: async () => (await import('./content.ts')).content,
}

/** Creates the subgraph of a component without its background parts. */
export async function createSubgraph(name: ComponentName, options: ComponentOptions): Promise<Subgraph> {
  const component = await components[name]()
  return (await component.subgraph(options)).subgraph
}

/** The built components of a process. */
export interface BuiltComponents {
  readonly subgraphs: readonly Subgraph[]
  /** required engines in the order in which they are opened */
  readonly engines: readonly Part[]
  /** in start order */
  readonly parts: readonly Part[]
}

/** Builds subgraphs, workers and upkeep of the chosen roles. @throws {Error} for the worker of a component without one */
export async function buildComponents({ subgraphs, workers }: Roles, options: ComponentOptions): Promise<BuiltComponents> {
  const builtSubgraphs = []
  const upkeep: Part[] = []
  for (const name of subgraphs) {
    const component = await components[name]()
    builtSubgraphs.push(await component.subgraph(options))
    if (component.upkeep !== undefined) upkeep.push(component.upkeep(options))
  }
  const builtWorkers = []
  for (const name of workers) {
    const { worker } = await components[name]()
    if (worker === undefined) throw new Error(`${name} has no worker`)
    builtWorkers.push(await worker(options))
  }
  const built = [...builtSubgraphs, ...builtWorkers]
  const background = new Set(built.flatMap((each) => each.background))
  return {
    engines: [...new Set(built.flatMap((each) => each.engines))],
    subgraphs: builtSubgraphs.map(({ subgraph }) => subgraph),
    parts: [...background, ...builtWorkers.map(({ worker }) => worker), ...upkeep],
  }
}
