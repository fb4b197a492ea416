import type { TestProject } from 'vitest/node'
import { createTemplate, dropDatabase, temporaryCluster } from '../engines/databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in projects that use databases. */
    embeddedPostgres: MigratedServer | undefined
    /** Set if DATABASE_URL is. */
    realPostgres: MigratedServer | undefined
  }
}

/** A PostgreSQL, and the name of a database on it with the whole schema, as a template. */
export interface MigratedServer {
  readonly url: string
  readonly template: string
}

/** Durability is off: it is the largest cost of tests, which discard their databases. */
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Projects whose tests open databases in their own process. */
const users = ['contracts', 'components']

/** Before the first test: starts one PostgreSQL for the whole run and migrates it once. Unit tests and journeys do not use it. */
export default async function databases({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const inNeed = vitest.projects.filter(({ name }) => users.includes(name))
  if (inNeed.length === 0) return undefined
  const cluster = await temporaryCluster(forgetful)
  const { url } = cluster
  const embedded = { url, template: await createTemplate(url) }
  const realUrl = process.env.DATABASE_URL
  const real = realUrl === undefined ? undefined : { url: realUrl, template: await createTemplate(realUrl) }
  for (const project of inNeed) {
    project.provide('embeddedPostgres', embedded)
    project.provide('realPostgres', real)
  }
  return async () => {
    if (real !== undefined) await dropDatabase(real.url, real.template)
    await cluster[Symbol.asyncDispose]()
  }
}
