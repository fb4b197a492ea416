/** The words that begin a command on the database instead of a list of roles. Apart from the commands, so that a start does not load them. */
export const commandNames = ['admin', 'keys', 'search', 'ingest', 'rollups', 'delegations', 'models', 'demo-data'] as const

export type CommandName = (typeof commandNames)[number]

export const isCommand = (word: string | undefined): word is CommandName => commandNames.some((name) => name === word)
