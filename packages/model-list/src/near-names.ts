// Names of the list that someone who mistyped a name may have meant.

import { MODEL_LIST } from './list/model-list.ts'

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
  // The distances from the letters of `a` so far to the first one, two, … letters of `b`.
  let row = Array.from(b, (_, index) => index + 1)
  for (const [index, letter] of Array.from(a).entries()) {
    let [diagonal, left] = [index, index + 1]
    row = row.map((above, column) => {
      left = Math.min(diagonal + (letter === b[column] ? 0 : 1), above + 1, left + 1)
      diagonal = above
      return left
    })
  }
  return row.at(-1) ?? a.length
}
