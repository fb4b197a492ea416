import type { GraphQLError } from 'graphql'

/** What of a plan is fetched for later, while it runs. */
export class DeferredFetches {
  /** by label; resolved, never rejected, with the errors of its fetches */
  readonly #parts = new Map<string, Promise<readonly GraphQLError[]>>()
  readonly #done = new Map<string, PromiseWithResolvers<void>>()

  begin(label: string, errors: Promise<readonly GraphQLError[]>): void {
    this.#parts.set(label, errors)
  }

  /** Resolves when what belongs to a label has been fetched; at once where nothing has to be. */
  async fetched(label: string): Promise<readonly GraphQLError[]> {
    return (await this.#parts.get(label)) ?? []
  }

  /** To be called when the fetch of that id is done, or will not be made. */
  done(id: string): void {
    this.#gate(id).resolve()
  }

  async all(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#gate(id).promise
  }

  #gate(id: string): PromiseWithResolvers<void> {
    const known = this.#done.get(id) ?? Promise.withResolvers<void>()
    this.#done.set(id, known)
    return known
  }
}
