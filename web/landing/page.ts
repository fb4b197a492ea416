import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { LandingFacts } from './facts.ts'

export type { LandingFacts } from './facts.ts'

/** `GET /` of the gateway: what the platform is, a tour of it, and the health of its components. */
export function landingPage(facts: LandingFacts): BuiltPage {
  return builtPage('landing', { summary: 'Page about the platform: a tour of it, and the health of its components', facts })
}
