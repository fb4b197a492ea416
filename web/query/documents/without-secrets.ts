const secret = /("?(?:password|token|secret|api_?key)\w{0,64}"?\s{0,40}:\s{0,40})(?:"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"?)/gi

/** A query or variables with nothing in them that signs somebody in: what is kept for later or passed on is read by others. */
export const withoutSecrets = (text: string): string => text.replace(secret, '$1""')
