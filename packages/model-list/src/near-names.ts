// Names of the list that someone who mistyped a name may have meant.

import { MODEL_LIST } from './model-list.ts'

const MOST = 3

/** The likeliest first; none if nothing is near. */
export function nearNames(text: string): string[] {
  const wanted = simplify(text)
  const near = MODEL_LIST.map(({ name, aliases }) => {
    const names = [name, ...aliases.filter((alias) => !alias.includes('/'))]
    return { name, distance: Math.min(...names.map((other) => distance(wanted, simplify(other)))) }
  })
  const most = Math.max(1, Math.floor(wanted.length / 3))
  return near
    .filter((candidate) => candidate.distance <= most)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name)
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** How many letters have to be added, removed or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row[b.length]!
}
