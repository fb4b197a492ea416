import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { LandingFacts } from './facts.ts'

/** `GET /` of the gateway: the platform, a tour of it, and the state of its components. */
export function landingPage(facts: LandingFacts): BuiltPage {
  return builtPage('landing', { summary: 'Page about the platform: a tour through it, and how its components are', facts })
}
