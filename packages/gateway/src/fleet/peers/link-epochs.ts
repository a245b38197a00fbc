// Takes the numbers of links from the database. Many devices connect at once after a restart: requests that come while a query is running
// share the next one. A number is never taken before it was asked for, so of two links of a device the later one gets the higher number.

export function shareEpochs(take: (count: number) => Promise<number[]>): () => Promise<number> {
  /** The last query that was begun, or waits for the one before it. */
  let last: Promise<number[]> = Promise.resolve([])
  /** How many numbers the query that waits will take; 0 if none waits. */
  let wanted = 0
  const takeAll = () => {
    const count = wanted
    wanted = 0
    return take(count)
  }
  return async () => {
    const index = wanted++
    if (index === 0) last = last.then(takeAll, takeAll)
    const epoch = (await last)[index]
    if (epoch === undefined) throw new Error('The database took fewer numbers than it was asked for')
    return epoch
  }
}
