// Learns how fast a device reads prompts, in milliseconds per character, from the time between its accept and its first event.

/** Fast on purpose, so that a new device is soon tried. */
export const FIRST_GUESS_MS_PER_CHARACTER = 0.1

/** Every job has a cost that doesn't depend on its prompt, counted as this many characters. */
const FIXED_CHARACTERS = 256
const WEIGHT_OF_LATEST = 0.3
/** A first event that waited for a model to load says little about reading, and must not make a device look slow for long. */
const LARGEST_JUMP = 4

export function expectPromptMs(msPerCharacter: number, characters: number): number {
  return (characters + FIXED_CHARACTERS) * msPerCharacter
}

export function learnSpeed(msPerCharacter: number, characters: number, tookMs: number): number {
  const seen = tookMs / (characters + FIXED_CHARACTERS)
  const believed = Math.min(seen, msPerCharacter * LARGEST_JUMP)
  return Math.max(1e-6, msPerCharacter + WEIGHT_OF_LATEST * (believed - msPerCharacter))
}
