import type { Submission } from '../progress/verification-service.ts'

export const sides = ['selfie', 'front', 'back'] as const
/** Photos of a request. */
export type PhotographName = (typeof sides)[number]

/** Input of the form; it is stored nowhere else. */
export interface DraftTexts {
  readonly key: string
  readonly firstName: string
  readonly lastName: string
  readonly dateOfBirth: string
  readonly citizenCode: string
  readonly gender: string
  readonly nationality: string
  readonly documentType: string
  readonly country: string
  readonly priority: string
  readonly callbackUrl: string
}
export type TextName = keyof DraftTexts
export type FieldName = TextName | PhotographName

export interface Draft {
  readonly texts: DraftTexts
  /** as they are sent */
  readonly photographs: Readonly<Partial<Record<PhotographName, Blob>>>
}

export const emptyDraft: Draft = {
  texts: {
    key: '',
    firstName: '',
    lastName: '',
    dateOfBirth: '',
    citizenCode: '',
    gender: '',
    nationality: '',
    documentType: 'PASSPORT',
    country: '',
    priority: 'normal',
    callbackUrl: '',
  },
  photographs: {},
}

/** The request member of each field, as refusals name it; in the order of the form. */
export const members: Readonly<Record<FieldName, string>> = {
  key: 'header.X-Service-API-Key',
  firstName: 'body.declared_identity.first_name',
  lastName: 'body.declared_identity.last_name',
  dateOfBirth: 'body.declared_identity.date_of_birth',
  citizenCode: 'body.citizen_code',
  gender: 'body.declared_identity.gender',
  nationality: 'body.declared_identity.nationality',
  documentType: 'body.document_type',
  country: 'body.country_code',
  selfie: 'body.selfie_b64',
  front: 'body.cni_recto_b64',
  back: 'body.cni_verso_b64',
  priority: 'body.priority',
  callbackUrl: 'body.callback_url',
}

export const documentTypes = ['PASSPORT', 'NATIONAL_ID', 'CNI', 'TITRE_DE_SEJOUR'] as const
export const genders = ['F', 'M', 'N', 'O'] as const

/** Returns the request for the form's input. */
export async function submissionOf({ texts, photographs }: Draft): Promise<Submission> {
  const value = (name: TextName): string => texts[name].trim()
  const [selfie, front, back] = await Promise.all(sides.map((side) => base64Of(photographs[side])))
  return {
    citizen_code: value('citizenCode'),
    document_type: documentTypes.find((each) => each === texts.documentType) ?? 'PASSPORT',
    country_code: value('country').toUpperCase(),
    selfie_b64: selfie ?? '',
    cni_recto_b64: front ?? '',
    cni_verso_b64: back ?? null,
    declared_identity: {
      first_name: value('firstName'),
      last_name: value('lastName'),
      date_of_birth: value('dateOfBirth') || null,
      gender: genders.find((each) => each === texts.gender) ?? null,
      nationality: value('nationality').toUpperCase() || null,
    },
    priority: texts.priority === 'high' ? 'high' : 'normal',
    ...(value('callbackUrl') !== '' && { callback_url: value('callbackUrl') }),
  }
}

/** Returns the form's input for a request, with the key already entered. */
export function draftOf(submission: Submission, key: string): Draft {
  const { declared_identity: declared } = submission
  const photographs = { selfie: submission.selfie_b64, front: submission.cni_recto_b64, back: submission.cni_verso_b64 }
  return {
    texts: {
      key,
      firstName: declared.first_name,
      lastName: declared.last_name,
      dateOfBirth: declared.date_of_birth ?? '',
      citizenCode: submission.citizen_code,
      gender: declared.gender ?? '',
      nationality: declared.nationality ?? '',
      documentType: submission.document_type,
      country: submission.country_code,
      priority: submission.priority ?? 'normal',
      callbackUrl: submission.callback_url ?? '',
    },
    photographs: Object.fromEntries(
      Object.entries(photographs).flatMap(([side, content]) => (content == null ? [] : [[side, pictureOf(content)]])),
    ),
  }
}

function pictureOf(base64: string): Blob {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type: bytes[0] === 0xff ? 'image/jpeg' : 'image/png' })
}

function base64Of(content: Blob | undefined): Promise<string | undefined> {
  if (content === undefined) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(content)
  })
}
