import './apollo-opt-out.ts'
import { DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals'

/** Specifications that this gateway enforces and `@apollo/gateway` refuses, by name. */
export const enforcedFeatures = ['authenticated', 'requiresScopes', 'policy', 'context'] as const

/** Specifications that a supergraph may use: those of `@apollo/gateway`, and those that this gateway enforces. */
export const supportedFeatures: Set<string> = new Set([
  ...DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES,
  ...enforcedFeatures.map((name) => `https://specs.apollo.dev/${name}/v0.1`),
])
