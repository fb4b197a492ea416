// Made by `npm run generate`; not to be edited. Of otQbqeqHiCmoDIw9nSUF_A
export * from './types.ts'
export * from './administration.ts'
export * from './citizen.ts'
export * from './classification.ts'
export * from './content.ts'
export * from './exploration.ts'
export * from './health.ts'
export * from './verification.ts'
