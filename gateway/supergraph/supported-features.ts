import './apollo-opt-out.ts'
import { DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES } from '@apollo/federation-internals'

/** Specifications that a supergraph may use: those of `@apollo/gateway`, and those that this gateway enforces. */
export const supportedFeatures: Set<string> = new Set([
  ...DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES,
  ...['authenticated', 'requiresScopes', 'policy', 'context'].map((name) => `https://specs.apollo.dev/${name}/v0.1`),
])
