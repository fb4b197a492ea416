/** Maintenance of delegations and of the register of citizens by an operator, with or without a running platform. */
export { removeDelegations } from '../delegations/first-delegations.ts'
export { importDelegations } from '../delegations/import-delegations.ts'
export { rebuildRegister } from '../register/rebuild-register.ts'
