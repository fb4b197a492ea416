/** The five components of the platform. */
export const componentNames = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type ComponentName = (typeof componentNames)[number]
