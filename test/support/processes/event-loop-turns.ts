import { setImmediate } from 'node:timers/promises'

/** Runs a task and counts the turns of the event loop meanwhile: one that holds the event loop has one at most. */
export async function countTurns<Result>(task: () => Promise<Result>): Promise<{ readonly turns: number; readonly result: Result }> {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    while (!isOver) {
      await setImmediate()
      turns += 1
    }
  })()
  const result = await task()
  isOver = true
  const counted = turns
  await counting
  return { turns: counted, result }
}
