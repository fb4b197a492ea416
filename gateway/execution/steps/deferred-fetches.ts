import type { GraphQLError } from 'graphql'

/** The deferred fetches of a running plan. */
export class DeferredFetches {
  /** by label; resolves, never rejects, with the errors of its fetches */
  readonly #parts = new Map<string, Promise<readonly GraphQLError[]>>()
  readonly #done = new Map<string, PromiseWithResolvers<void>>()

  begin(label: string, errors: Promise<readonly GraphQLError[]>): void {
    this.#parts.set(label, errors)
  }

  /** Resolves when the fetches of a label are done; immediately without any. */
  async fetched(label: string): Promise<readonly GraphQLError[]> {
    return (await this.#parts.get(label)) ?? []
  }

  /** Must be called when the fetch with that id is done or skipped. */
  done(id: string): void {
    this.#gate(id).resolve()
  }

  async all(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#gate(id).promise
  }

  #gate(id: string): PromiseWithResolvers<void> {
    const gate = this.#done.get(id) ?? Promise.withResolvers<void>()
    this.#done.set(id, gate)
    return gate
  }
}
