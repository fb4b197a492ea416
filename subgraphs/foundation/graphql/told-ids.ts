/** How many of those that are gone an answer names, so that caches give them up; its count is of all. */
export const toldIds = 1000
