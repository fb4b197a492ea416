import { GraphQLError, parse, print, TokenKind } from 'graphql'
import type { Problem } from '../running/problem.ts'

/** An operation as GraphQL prints it. @returns why not: it cannot be read, or it has comments, which would be lost */
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

/** JSON with a member a line; what cannot be read stays as it is. */
export function formattedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
