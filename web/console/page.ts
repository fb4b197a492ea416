import { type BuiltPage, builtPage } from '../serving/built-page.ts'

/** `GET /`: the console of those who run the platform. */
export const consolePage = (): BuiltPage =>
  builtPage('console', { summary: 'The console: health, reviews, verifications, citizens, expressions, delegations and the audit trail' })
