const secret = /("?(?:password|token|secret|api_?key)\w{0,64}"?\s{0,40}:\s{0,40})(?:"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"?)/gi

/** Removes credentials from a query or variables before they are stored or shared. */
export const withoutSecrets = (text: string): string => text.replace(secret, '$1""')
