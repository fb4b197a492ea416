/** Maintenance of delegations by an operator, with or without a running platform. */
export { removeDelegations } from '../delegations/first-delegations.ts'
export { importDelegations } from '../delegations/import-delegations.ts'
