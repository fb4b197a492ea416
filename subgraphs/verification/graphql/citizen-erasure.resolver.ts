import { LRUCache } from 'lru-cache'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import {
  type CitizenDataHolder,
  type CitizenDataSurvey,
  erasableKinds,
  type RemainingData,
} from '../../../engines/citizen-data/citizen-data.ts'
import type { Typesetter } from '../../../engines/typesetting/typesetter.ts'
import { InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { Authorise, requireOneOf } from '../../../foundation/graphql/authorisation.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { type CertificateLanguage, certificateLanguages } from '../citizens/certificate-words.ts'
import type { CitizenErasures, Erasure } from '../citizens/citizen-erasures.ts'
import { certificatePdf } from '../citizens/erasure-certificate.ts'
import { exportCitizen } from '../citizens/export-citizen.ts'
import { EraseCitizenInput, ExportCitizenInput, recordsOf, referencesOf } from './citizen-erasure.input.ts'
import {
  CitizenDataReport,
  CitizenErasure,
  EraseCitizenPayload,
  ErasureCertificateFile,
  ExportCitizenPage,
  erasers,
} from './citizen-erasure.type.ts'

/** ids that a payload lists for caches */
const maxNodeIds = 1000
const filePrefix = 'verification.erasure.'

export interface ErasureResolverDependencies {
  readonly erasures: CitizenErasures
  readonly holders: readonly CitizenDataHolder[]
  readonly auditedAccess: AuditedAccess
  readonly typesetter: Typesetter
  /** of the REST component */
  readonly publicUrl: string
}

/** Erasure of citizens and access to the data about them, in all components. */
@Resolver()
export class CitizenErasureResolver {
  readonly #parts: ErasureResolverDependencies
  /** PDFs by file id; a certificate has about 20 kB */
  readonly #files = new LRUCache<string, Uint8Array>({ max: 100 })

  constructor(parts: ErasureResolverDependencies) {
    this.#parts = parts
  }

  @Mutation(() => EraseCitizenPayload, {
    description:
      'Erases the data about a citizen in all components, and reports what remains and why. Later imports store no delegations of this code. This cannot be undone.',
  })
  @Authorise(...erasers)
  async eraseCitizen(
    @Arg('input', () => EraseCitizenInput) input: EraseCitizenInput,
    @Ctx() context: RequestContext,
  ): Promise<EraseCitizenPayload> {
    const erasure = await this.#parts.erasures.erase(referencesOf(input), context)
    const nodes = erasure.parts.flatMap(({ erased }) => erased.nodes)
    const erasedJobIds = nodes.filter(([type]) => type === 'VerificationJob').map(([, id]) => id)
    return {
      citizen: { code: input.code },
      erasedJobs: erasedJobIds.length,
      erasedJobIds,
      deletedNodeIds: nodes.slice(0, maxNodeIds).map(([type, id]) => nodeIdOf(type, id)),
      erasure: this.#typeOf(erasure),
    }
  }

  @Query(() => [CitizenDataReport], {
    description: 'Returns what `eraseCitizen` with this input would erase from each component, and what would remain.',
  })
  @Authorise(...erasers)
  async citizenErasurePreview(
    @Arg('input', () => EraseCitizenInput, { description: 'The citizen.' }) input: EraseCitizenInput,
    @Ctx() context: RequestContext,
  ): Promise<readonly CitizenDataReport[]> {
    const citizen = referencesOf(input)
    await this.#parts.auditedAccess.citizenRead(context, 'citizen.erasure.preview', citizen.code)
    const surveys = await this.#parts.erasures.preview(citizen)
    return surveys.map(({ component, erasable, remaining }) => ({
      component,
      isComplete: false,
      erased: erasedOf(erasable),
      remaining: remainingOf(remaining),
    }))
  }

  @Query(() => CitizenErasure, { nullable: true, description: 'Returns an erasure with its progress; null when the id is unknown.' })
  @Authorise(...erasers)
  async citizenErasure(
    @Arg('id', () => ID, { description: 'Id of the erasure.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<CitizenErasure | null> {
    const erasure = await this.#found(id, context)
    return erasure === undefined ? null : this.#typeOf(erasure)
  }

  @Query(() => ErasureCertificateFile, { description: 'Returns the certificate of a completed erasure as a PDF file.' })
  @Authorise(...erasers)
  async erasureCertificate(
    @Arg('erasureId', () => ID, { description: 'Id of the erasure.' }) erasureId: string,
    @Arg('lang', () => String, { defaultValue: 'en', description: 'Language of the certificate: `en`, `fr` or `ar`.' })
    lang: string,
    @Ctx() context: RequestContext,
  ): Promise<ErasureCertificateFile> {
    const known = certificateLanguages.find((each) => each === lang)
    const message = `Input should be one of ${certificateLanguages.join(', ')}`
    if (known === undefined) throw new InvalidInput(`lang: ${message}`, [{ code: 'unknown', path: ['lang'], message }])
    const erasure = await this.#found(erasureId, context)
    if (erasure === undefined) throw new NotFound('Erasure not found')
    const id = `${filePrefix}${erasure.id}.${known}`
    const bytes = await this.#pdf(id, erasure, known, context.signal)
    return { id, bytes: bytes.length, mediaType: 'application/pdf' }
  }

  @Query(() => ExportCitizenPage, {
    description: 'Returns the data about a citizen in all components (subject access), in pages. Every page is audited.',
  })
  @Authorise(...erasers)
  async exportCitizen(
    @Arg('input', () => ExportCitizenInput, { description: 'The citizen and the page.' }) input: ExportCitizenInput,
    @Ctx() context: RequestContext,
  ): Promise<ExportCitizenPage> {
    const { holders, auditedAccess } = this.#parts
    const citizen = referencesOf(input)
    const limit = recordsOf(input)
    const cursors = new Cursors(['exportCitizen', citizen.code], { authorRefs: citizen.authorRefs, voters: citizen.voters })
    const place = input.after == null ? { component: 0, after: undefined } : placeOf(cursors, input.after, holders.length)
    await auditedAccess.citizenRead(context, 'citizen.export', citizen.code)
    const { lines, next } = await exportCitizen(holders, citizen, place, limit, context.signal)
    return {
      ndjson: lines.map((line) => `${line}\n`).join(''),
      count: lines.length,
      endCursor: next === undefined ? null : cursors.of(next.component, next.after ?? ''),
    }
  }

  /** Returns the bytes of a certificate; undefined for the id of another kind of file. @throws {NotFound} @throws {Forbidden} */
  async openFile(id: string, context: RequestContext): Promise<Uint8Array | undefined> {
    if (!id.startsWith(filePrefix)) return undefined
    requireOneOf(context.principal, erasers)
    const [erasureId = '', language] = id.slice(filePrefix.length).split('.')
    const known = certificateLanguages.find((each) => each === language)
    const erasure = await this.#parts.erasures.find(erasureId)
    if (known === undefined || erasure === undefined) throw new NotFound()
    return this.#pdf(id, erasure, known, context.signal)
  }

  async #found(id: string, context: RequestContext): Promise<Erasure | undefined> {
    const erasure = await this.#parts.erasures.find(id)
    if (erasure !== undefined) await this.#parts.auditedAccess.erasureRead(context, erasure.pseudonym)
    return erasure
  }

  async #pdf(id: string, erasure: Erasure, language: CertificateLanguage, signal: AbortSignal): Promise<Uint8Array> {
    const cached = this.#files.get(id)
    if (cached !== undefined) return cached
    const bytes = await certificatePdf(this.#parts.typesetter, erasure, language, signal)
    this.#files.set(id, bytes)
    return bytes
  }

  #typeOf(erasure: Erasure): CitizenErasure {
    const { id, pseudonym, requestedAt, completedAt, isUnknown, parts } = erasure
    return {
      ...{ id, pseudonym, requestedAt, completedAt, isUnknown },
      components: parts.map(({ component, erased, erasedAt, remaining }) => ({
        component,
        isComplete: erasedAt !== null && remaining !== null,
        erased: erasedOf(erased.counts),
        remaining: remainingOf(remaining ?? []),
      })),
      certificateUrl: `${this.#parts.publicUrl.replace(/\/$/, '')}/citizens/erasures/${id}/certificate`,
    }
  }
}

const erasedOf = (counts: CitizenDataSurvey['erasable']) =>
  erasableKinds.flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count === 0 ? [] : [{ kind, count }]
  })

const remainingOf = (remaining: readonly RemainingData[]) =>
  remaining.flatMap(({ kind, count, ids }) => (count === 0 ? [] : [{ kind, count, expressionIds: ids }]))

function placeOf(cursors: Cursors, cursor: string, components: number) {
  const [component, after] = cursors.placeOf(cursor, 2, 'after')
  if (
    typeof component !== 'number' ||
    !Number.isInteger(component) ||
    component < 0 ||
    component >= components ||
    typeof after !== 'string'
  )
    throw foreignCursor('after')
  return { component, after: after === '' ? undefined : after }
}
