import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import type { GrantedPolicies, PolicyContext } from '../../gateway/authorization/unmet-requirements.ts'

const Decision = z.array(z.string())

/**
 * Loads the operator's module that decides which names (policies, override labels) apply to a caller.
 * @param setting - setting with the file name
 * @throws {Error} naming the setting if the file cannot be loaded or its default export is not a function
 */
export async function decisionModule(setting: string, file: string): Promise<GrantedPolicies> {
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`${setting} ${file} cannot be loaded: ${messageOf(error)}`, { cause: error })
  })
  const decide: unknown = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  if (typeof decide !== 'function') throw new Error(`${setting} ${file} must export a function by default`)
  return async (names, { principal, requestId, address, signal }: PolicyContext) => {
    const decided: unknown = await decide(names, { principal, requestId, address, signal })
    return Decision.parse(decided)
  }
}
