/** verification jobs, by id */
export const jobsQueue = 'verification'
/** through which expressions go into the analytics store */
export const expressionsQueue = 'expressions'
/** delegations from outside */
export const delegationsQueue = 'delegations'

export const queueNames: readonly string[] = [jobsQueue, expressionsQueue, delegationsQueue]
