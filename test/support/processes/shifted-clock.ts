/**
 * Preloaded into a process of a test (`NODE_OPTIONS=--import`): its clock is off by CLOCK_SHIFT_MS milliseconds. Timers and
 * `performance`, which do not use the clock, are unchanged.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)

globalThis.Date = new Proxy(Date, {
  construct: (date, args, made) => Reflect.construct(date, args.length === 0 ? [date.now() + shiftMs] : args, made),
  apply: (date) => new date(date.now() + shiftMs).toString(),
  get: (date, name) => (name === 'now' ? () => date.now() + shiftMs : Reflect.get(date, name)),
})

export {}
