import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenOf } from '../support/clients/content-client.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'

const project = new URL('../../', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, project), 'utf8')

/** The audit action of a mutation, and how a test shows its record. */
type Shown =
  | { readonly exempt: string }
  /** The test file that checks the record. */
  | { readonly action: string; readonly in: string }
  | { readonly action: string; readonly input: () => Promise<object> | object; readonly selects: string }

const tenantId = 'audited'

describe('each mutation', () => {
  let system: System
  let token: string
  beforeAll(async () => {
    system = await startSystem({})
    token = await tokenOf(system)
  })
  afterAll(() => system?.stop())

  const send = async (query: string, variables: object = {}) => {
    const response = await fetch(system.graphqlUrl, {
      ...{ method: 'POST', body: JSON.stringify({ query, variables }) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })
    const answer: { data?: Record<string, Record<string, unknown>>; errors?: unknown } = JSON.parse(await response.text())
    if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
    return answer.data ?? {}
  }
  const change = async (field: string, input: object, selects: string) => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
    return (await send(`mutation ($input: ${type}!) { ${field}(input: $input) { ${selects} } }`, { input }))[field] ?? {}
  }
  const countOf = async (action: string): Promise<number> => {
    const { auditTrail } = await send('query ($action: String) { auditTrail(first: 1, filter: { action: $action }) { totalCount } }', {
      action,
    })
    return Number(auditTrail?.totalCount)
  }
  const expression = async (): Promise<string> => {
    const input = { text: `Il n’y a plus d’eau au robinet à Ouagadougou, ${Math.random()}`, source: 'audit' }
    const { expression: created } = await change('ingestExpression', input, 'expression { id }')
    return (created as { id: string }).id
  }
  const removed = async (id: string): Promise<string> => {
    await change('createContentNode', { tenantId, id, parentId: 'r', title: id }, 'created')
    const { removed: trashEntry } = await change('deleteContentNode', { tenantId, id }, 'removed { id }')
    return (trashEntry as { id: string }).id
  }
  const begun = async (): Promise<string> => {
    const { importId } = await change('startContentImport', { tenantId }, 'importId')
    return String(importId)
  }
  let accounts = 0
  const account = () => ({ email: `audited-${++accounts}@example.org`, roles: ['GROUP_ADMIN'], groups: ['audited'] })
  const accountId = async (): Promise<string> => {
    const { account: created } = await change('createAccount', account(), 'account { id }')
    return (created as { id: string }).id
  }
  const revision = async (): Promise<number> => {
    const { taxonomyDraft } = await send('{ taxonomyDraft { revision } }')
    return Number(taxonomyDraft?.revision)
  }
  let domains = 0
  const domain = async (): Promise<string> => {
    const key = `audited-${++domains}`
    const labels = [{ lang: 'fr', text: `Domaine ${key}` }]
    await change('addTaxonomyDomain', { key, labels, revision: await revision() }, 'draft { revision }')
    return key
  }
  const corrected = async (): Promise<string> => {
    const id = await expression()
    await change('correctClassification', { id, domainId: 'health' }, 'expression { id }')
    return id
  }
  const publishedVersion = async (): Promise<number> => {
    const { taxonomyDraft } = await send('{ taxonomyDraft { baseVersion } }')
    return Number(taxonomyDraft?.baseVersion)
  }
  const scenario = async (): Promise<string> => {
    const { scenario: saved } = await change('saveDelegationScenario', { name: 'audited', scenario: {} }, 'scenario { id }')
    return (saved as { id: string }).id
  }
  const inDraft = { selects: 'draft { revision problems { message } }' }
  const review = 'test/components/verification/review.test.ts'
  const moderation = 'test/components/classification/moderation-cases.test.ts'
  const serviceKeys = 'test/components/administration/service-keys.test.ts'
  const sessions = 'test/components/administration/sessions.test.ts'

  const mutations: Readonly<Record<string, Shown>> = {
    createContentNode: { action: 'content.create', input: () => ({ tenantId, id: 'r', title: 'Root' }), selects: 'created' },
    updateContentNode: { action: 'content.update', input: () => ({ tenantId, id: 'r', title: 'Changed' }), selects: 'node { id }' },
    moveContentNode: {
      action: 'content.move',
      input: async () => {
        for (const id of ['one', 'two']) await change('createContentNode', { tenantId, id, parentId: 'r', title: id }, 'created')
        return { tenantId, id: 'one', parentId: 'two' }
      },
      selects: 'node { id }',
    },
    deleteContentNode: {
      action: 'content.remove',
      input: async () => {
        await change('createContentNode', { tenantId, id: 'deleted', parentId: 'r', title: 'Deleted' }, 'created')
        return { tenantId, id: 'deleted' }
      },
      selects: 'deleted',
    },
    restoreContentNode: { action: 'content.restore', input: async () => ({ tenantId, id: await removed('back') }), selects: 'restored' },
    purgeContentNode: { action: 'content.purge', input: async () => ({ tenantId, id: await removed('purged') }), selects: 'purged' },
    startContentImport: { action: 'content.import.start', input: () => ({ tenantId }), selects: 'importId' },
    finishContentImport: {
      action: 'content.import.finish',
      input: async () => ({ importId: await begun() }),
      selects: 'summary { received }',
    },
    revokeContentLink: { action: 'content.link.revoke', in: 'test/components/content/private-tenants.test.ts' },
    createContentLink: { action: 'content.link.create', in: 'test/components/content/private-tenants.test.ts' },
    appendContentImport: { exempt: 'its nodes are invisible, and counted by the finish' },
    createAccount: { action: 'account.create', input: account, selects: 'account { id }' },
    updateAccount: { action: 'account.update', input: async () => ({ id: await accountId(), disabled: true }), selects: 'account { id }' },
    resetAccountPassword: { action: 'account.reset-password', input: async () => ({ id: await accountId() }), selects: 'account { id }' },
    changeOwnPassword: { action: 'account.change-password', in: 'test/components/administration/accounts.test.ts' },
    createServiceKey: { action: 'service-key.create', in: serviceKeys },
    rotateServiceKey: { action: 'service-key.rotate', in: serviceKeys },
    revokeServiceKey: { action: 'service-key.revoke', in: serviceKeys },
    ingestExpressions: {
      action: 'expressions.ingest',
      input: () => ({ expressions: [{ text: 'La route est coupée à Bobo-Dioulasso' }] }),
      selects: 'created',
    },
    withdrawExpression: { action: 'expression.withdraw', input: async () => ({ id: await expression() }), selects: 'id' },
    reportExpression: {
      action: 'expression.report',
      input: async () => {
        const id = await expression()
        // readers see an expression once it is written
        await expect.poll(async () => (await send(`{ expression(id: "${id}") { id } }`)).expression).toEqual({ id })
        return { expressionId: id, reason: 'SPAM' }
      },
      selects: 'created',
    },
    saveDelegationScenario: { action: 'scenario.save', input: () => ({ name: 'audited', scenario: {} }), selects: 'scenario { id }' },
    renameDelegationScenario: {
      action: 'scenario.rename',
      input: async () => ({ id: await scenario(), name: 'renamed' }),
      selects: 'scenario { id }',
    },
    deleteDelegationScenario: {
      action: 'scenario.delete',
      input: async () => ({ id: await scenario() }),
      selects: 'deletedNodeId',
    },
    decideModerationCase: { action: 'moderation.decide', in: moderation },
    undoWithdrawal: { action: 'expression.restore', in: moderation },
    login: { action: 'login', in: sessions },
    refreshSession: { action: 'session.refresh', in: sessions },
    logout: { action: 'logout', in: sessions },
    importDelegations: { action: 'delegations.import', in: 'test/components/administration/delegations.test.ts' },
    correctClassification: {
      action: 'expression.correct',
      input: async () => ({ id: await expression(), sentiment: 'POSITIVE' }),
      selects: 'expression { id }',
    },
    redriveDeadLetters: { action: 'dead-letters.redrive', in: 'test/components/classification/dead-letters.test.ts' },
    claimReview: { action: 'verification.review.claim', in: review },
    releaseReview: { action: 'verification.review.release', in: review },
    decideReview: { action: 'verification.review.decide', in: review },
    sendReviewDecision: { action: 'verification.review.send', in: review },
    undoReviewDecision: { action: 'verification.review.undo', in: review },
    redeliverCallback: { action: 'verification.callback.redeliver', in: 'test/journeys/verification/callbacks.test.ts' },
    acknowledgeVerificationResults: { action: 'verification.acknowledge', in: 'test/journeys/privacy.test.ts' },
    eraseCitizen: { action: 'citizen.erase', in: 'test/journeys/privacy.test.ts' },
    synchroniseTaxonomies: { action: 'taxonomy.synchronise', input: () => ({}), selects: 'version' },
    addTaxonomyDomain: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ key: 'audited', labels: [{ lang: 'fr', text: 'Audité' }], revision: await revision() }),
      ...inDraft,
    },
    updateTaxonomyDomain: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ key: await domain(), examples: [{ lang: 'fr', text: 'Une phrase' }], revision: await revision() }),
      ...inDraft,
    },
    moveTaxonomyDomain: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ key: await domain(), parentKey: 'health', revision: await revision() }),
      ...inDraft,
    },
    mergeTaxonomyDomain: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ key: await domain(), intoKey: 'health', revision: await revision() }),
      ...inDraft,
    },
    retireTaxonomyDomain: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ key: 'health/hospitals-clinics', successorKey: 'health', revision: await revision() }),
      ...inDraft,
    },
    restoreTaxonomyDomain: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ key: 'health/hospitals-clinics', revision: await revision() }),
      ...inDraft,
    },
    addTaxonomyExamples: {
      action: 'taxonomy.draft.edit',
      input: async () => ({ expressionIds: [await corrected()], revision: await revision() }),
      ...inDraft,
    },
    discardTaxonomyDraft: { action: 'taxonomy.draft.discard', input: async () => ({ revision: await revision() }), ...inDraft },
    rebaseTaxonomyDraft: {
      action: 'taxonomy.draft.rebase',
      input: async () => {
        await domain()
        return { revision: await revision() }
      },
      ...inDraft,
    },
    publishTaxonomyDraft: {
      action: 'taxonomy.publish',
      input: async () => {
        await domain()
        return { revision: await revision(), note: 'Audited' }
      },
      selects: 'version { number }',
    },
    rollBackTaxonomy: {
      action: 'taxonomy.roll-back',
      input: async () => ({ version: 1, publishedVersion: await publishedVersion(), note: 'Audited' }),
      selects: 'version { number }',
    },
    reclassifyExpressions: { action: 'taxonomy.reclassify', input: () => ({ rate: 1 }), selects: 'reclassification { key }' },
    cancelReclassification: {
      action: 'taxonomy.reclassify.cancel',
      input: async () => {
        const { reclassification } = await change(
          'reclassifyExpressions',
          { rate: 1, filter: { outdatedOnly: false } },
          'reclassification { key }',
        )
        return reclassification as object
      },
      selects: 'reclassification { state }',
    },
    previewTaxonomyDraft: { exempt: 'a preview changes nothing' },
    ingestExpression: { exempt: 'citizens post expressions, possibly anonymously, and the expression itself has the time' },
    castVote: { exempt: 'the vote of a citizen is a row of its own under a pseudonym, and votes are secret' },
    castPublicVote: { exempt: 'likewise' },
    submitVerification: { exempt: 'the job itself names the service and the moment' },
    submitVerificationBatch: { exempt: 'likewise, of the batch' },
    startChipChallenge: { exempt: 'a number for one job, which names the service' },
    startLivenessChallenge: { exempt: 'likewise' },
  }

  it('is recorded in the audit trail, or is exempt for a stated reason', () => {
    const fields = Object.keys(buildSchema(textOf('schema/supergraph.graphql'), { assumeValid: true }).getMutationType()?.getFields() ?? {})
    expect(Object.keys(mutations).sort()).toEqual(fields.sort())
    for (const shown of Object.values(mutations)) if ('in' in shown) expect(textOf(shown.in), shown.in).toContain(shown.action)
  })

  for (const [field, shown] of Object.entries(mutations)) {
    if (!('input' in shown)) continue
    const { action, input, selects } = shown
    it(`${field} records ${action}`, async () => {
      const variables = await input()
      const before = await countOf(action)
      if (field === 'synchroniseTaxonomies') await send(`mutation { ${field} { ${selects} } }`)
      else await change(field, variables, selects)
      expect(await countOf(action)).toBe(before + 1)
    })
  }

  it('that a signed-in user may not call is refused, and recorded in the audit trail, in every component', async () => {
    const { account: created, password } = await change(
      'createAccount',
      { email: 'reviewer@example.org', roles: ['REVIEWER'] },
      'password account { email }',
    )
    const { email } = created as { email: string }
    const { accessToken } = await change('login', { email, password }, 'accessToken')
    const refusals: Readonly<Record<string, object>> = {
      createContentNode: { tenantId, id: 'refused', title: 'refused' },
      withdrawExpression: { id: await expression() },
      eraseCitizen: { code: 'C-1' },
      createAccount: { email: 'more@example.org', roles: ['SUPER_ADMIN'] },
    }
    for (const [field, input] of Object.entries(refusals)) {
      const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
      const response = await fetch(system.graphqlUrl, {
        method: 'POST',
        body: JSON.stringify({ query: `mutation ($input: ${type}!) { ${field}(input: $input) { __typename } }`, variables: { input } }),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      })
      expect(JSON.parse(await response.text()), field).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    }
    const { auditTrail } = await send(
      'query { auditTrail(first: 10, filter: { action: "mutation", outcome: REFUSED }) { nodes { administrator { email } details { key value } } } }',
    )
    const records = auditTrail?.nodes as readonly { administrator: { email: string } | null; details: readonly { value: string }[] }[]
    expect(records.map(({ administrator, details }) => [administrator?.email, JSON.parse(details[0]?.value ?? '')])).toEqual(
      Object.keys(refusals)
        .reverse()
        .map((field) => [email, field]),
    )
  })
})
