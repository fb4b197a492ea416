/** verification jobs, by id */
export const jobsQueue = 'verification'
/** expressions on their way into the analytics store */
export const expressionsQueue = 'expressions'
/** delegations of external senders */
export const delegationsQueue = 'delegations'

export const queueNames: readonly string[] = [jobsQueue, expressionsQueue, delegationsQueue]
