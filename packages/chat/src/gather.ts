/** Takes things that come close together in one go, in their order: `later` is asked once for all of them. */
export function gather<Item>(later: (takeAll: () => void) => void, take: (item: Item) => void): (item: Item) => void {
  let waiting: Item[] = []
  const takeAll = () => {
    const items = waiting
    waiting = []
    for (const item of items) take(item)
  }
  return (item) => {
    if (waiting.push(item) === 1) later(takeAll)
  }
}
