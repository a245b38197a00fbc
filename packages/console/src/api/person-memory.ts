// The console keeps more than it fetches: conversations, and the message that is being written. All of it belongs to the person who is signed in.
// It outlives a session that ends by itself, so that the same person goes on where they were. It is cleared when the person signs out in
// any tab, when another person signs in, and when the page loads. It stays in memory: browsers write sessionStorage and history.state to the
// disk, to restore tabs. Only conversations are also kept on the disk, under the name of their person; see pages/playground.

interface Keeper {
  /** The session ended: stop what runs. */
  pause?: () => void
  forget: () => void
}

const keepers: Keeper[] = []
let owner: string | undefined

export function keepForPerson(keeper: Keeper): void {
  keepers.push(keeper)
}

export function pauseMemory(): void {
  for (const { pause } of keepers) pause?.()
}

export function clearMemory(): void {
  pauseMemory()
  for (const { forget } of keepers) forget()
}

/** Call it before anything of this person shows. */
export function ownMemory(person: string): void {
  if (owner !== undefined && owner !== person) clearMemory()
  owner = person
}
