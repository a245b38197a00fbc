// Decides which of several a command means if nobody says: the one that runs where the person is, or else one that runs, or else the last one
// that did. A command that changes something acts only if there is no other that it could mean.

import { join, sep } from 'node:path'

export interface Candidate {
  /** The data folder, or the state folder of a device on its own. */
  folder: string
  isRunning: boolean
  /** The option that names this one: `--data /srv/hearth`. */
  option: string
}

export interface Question {
  /** The folder where the person is. */
  here: string
  /** The checkout of Hearth that it is in, if any. */
  checkout?: string | undefined
  isChange: boolean
  /** Throws, with this explanation. */
  reject: (text: string) => never
}

export interface Choice<Item> {
  chosen: Item
  /** Says which one it is, if it could have been another. */
  note?: string
}

/** The last started one comes first. Undefined if there is none. */
export function chooseOne<Item extends Candidate>(
  items: readonly Item[],
  { here, checkout, isChange, reject }: Question,
): Choice<Item> | undefined {
  const [chosen, ...others] = candidatesOf(items, here, checkout)
  if (chosen === undefined) return undefined
  const [other] = others
  if (other === undefined) return { chosen }
  if (isChange) return reject(describeUnclear([chosen, ...others]))
  const note = `Using ${chosen.folder}, one of ${others.length + 1} on this machine. To choose another: ${other.option}`
  return { chosen, note }
}

/** The likeliest first. */
function candidatesOf<Item extends Candidate>(items: readonly Item[], here: string, checkout = here): readonly Item[] {
  const nearest = items.filter(({ folder }) => isAt(folder, here))
  const near = nearest.length > 0 ? nearest : items.filter(({ folder }) => isAt(folder, checkout))
  const nearAndRunning = near.filter(({ isRunning }) => isRunning)
  if (nearAndRunning.length > 0) return nearAndRunning
  const running = items.filter(({ isRunning }) => isRunning)
  if (running.length > 0) return [...running, ...near]
  return near.length > 0 ? near : items
}

/** In a folder that `npm start` was run in, or in the data folder itself. */
function isAt(folder: string, here: string): boolean {
  return folder === join(here, 'data') || `${here}${sep}`.startsWith(`${folder}${sep}`)
}

function describeUnclear(items: readonly Candidate[]): string {
  const lines = items.map(({ option, isRunning }) => `  ${option}${isRunning ? ' (running)' : ' (stopped)'}`)
  return `There are several on this machine, and it is not clear which one you mean. Nothing was changed. Add one of these, or run the command in its folder:\n${lines.join('\n')}`
}
