import { customType, timestamp } from './drizzle.ts'

/** A timestamp with time zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** A timestamp with millisecond precision, equal to its JavaScript Date. */
export const millisecondMoment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
