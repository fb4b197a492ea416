import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { ListedOperation, VerificationFacts } from './facts.ts'

/** `GET /`: the service, its queue, its operations, and a form to try it. */
export function verificationPage(operations: readonly ListedOperation[]): BuiltPage {
  const facts: VerificationFacts = { operations }
  return builtPage('verification', {
    summary: 'Page about the service: live metrics of its queue, its operations, a form to try it',
    facts,
  })
}
