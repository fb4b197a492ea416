import { customType, timestamp } from './drizzle.ts'

/** A moment with its time zone, as PostgreSQL keeps it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** The same to the millisecond, so that it is equal to what a program has read of it. */
export const millisecondMoment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
