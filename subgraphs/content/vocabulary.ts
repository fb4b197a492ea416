/** Values of the enums of this component by their GraphQL names. */
export const ContentBodyFormat = { MARKDOWN: 'markdown' } as const
export type ContentBodyFormat = (typeof ContentBodyFormat)[keyof typeof ContentBodyFormat]

export const ContentSource = { STORE: 'store', SNAPSHOT: 'snapshot' } as const
export type ContentSource = (typeof ContentSource)[keyof typeof ContentSource]

/** Treatment of existing nodes that an import does not contain. */
export const ContentImportMode = { UPSERT: 'upsert', REPLACE: 'replace' } as const
export type ContentImportMode = (typeof ContentImportMode)[keyof typeof ContentImportMode]
