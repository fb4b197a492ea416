import { GraphQLError, parse, print, TokenKind } from 'graphql'
import type { Problem } from '../words/problem.ts'

/** Formats an operation. @returns a problem when it cannot be parsed, or has comments, which would be removed */
export function formatted(query: string): string | Problem {
  try {
    const document = parse(query)
    for (let token = document.loc?.startToken; token != null; token = token.next ?? undefined)
      if (token.kind === TokenKind.COMMENT) return { key: 'problem.comments' }
    return `${print(document)}\n`
  } catch (error) {
    const line = error instanceof GraphQLError ? error.locations?.[0]?.line : undefined
    return { key: 'problem.query', values: { line: line ?? 1, message: error instanceof Error ? error.message : String(error) } }
  }
}

/** Formats JSON; returns invalid JSON unchanged. */
export function formattedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
