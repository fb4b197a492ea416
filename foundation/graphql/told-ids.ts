/** How many of those that a mutation has done something to its answer names, so that caches give them up; its counts are of all. */
export const toldIds = 1000
