/** Ids of different tabs and visits differ, because conversations of all of them are kept together. */
let lastId = Date.now() * 1000 + Math.floor(Math.random() * 1000)

export function nextId(): number {
  return ++lastId
}
