// Decides which of several a command means if nobody says: one that runs, or else the last one that did.

export interface Choice<Item> {
  chosen: Item
  isRunning: boolean
  /** How many it could as well have been. */
  others: number
}

/** The last started one comes first. Undefined if there is none. */
export function chooseOne<Item>(items: readonly Item[], isRunning: (item: Item) => boolean): Choice<Item> | undefined {
  const running = items.filter(isRunning)
  const candidates = running.length > 0 ? running : items
  const [chosen] = candidates
  return chosen === undefined ? undefined : { chosen, isRunning: running.length > 0, others: candidates.length - 1 }
}
