import { getOrMake } from '../get-or-make.ts'

// Node has had `Map.groupBy` since 21, and this package runs on 20.
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) getOrMake(groups, keyOf(item), () => []).push(item)
  return groups
}
