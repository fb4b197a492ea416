/** Maximum number of affected ids that a mutation returns for cache invalidation; its counts include all. */
export const toldIds = 1000
