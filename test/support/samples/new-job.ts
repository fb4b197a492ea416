import type { NewJob } from '../../../subgraphs/verification/submission/submission.ts'

/** A submitted job before its images are analysed. */
export const newJob = (citizenCode: string, image: NewJob['submission']['selfie']): NewJob => ({
  citizenCode,
  documentType: 'CNI',
  countryCode: 'FR',
  priority: 'normal',
  callbackUrl: null,
  submission: {
    declaredIdentity: { firstName: 'A', lastName: 'B', dateOfBirth: null, gender: null, nationality: null },
    selfie: image,
    documentFront: image,
  },
})
