// How fast a device reads prompts, learnt from the time between its accept and its first event, in milliseconds per character.

/** Fast on purpose: a device that was never measured is soon tried. */
export const FIRST_GUESS_MS_PER_CHARACTER = 0.1

/** Every job also costs what does not depend on its prompt: counted as so many characters. */
const FIXED_CHARACTERS = 256
const WEIGHT_OF_LATEST = 0.3
/** A first event that waited for a model to load says little about reading; it must not brand a device as slow for long. */
const LARGEST_JUMP = 4

export function expectPromptMs(msPerCharacter: number, characters: number): number {
  return (characters + FIXED_CHARACTERS) * msPerCharacter
}

export function learnSpeed(msPerCharacter: number, characters: number, tookMs: number): number {
  const seen = tookMs / (characters + FIXED_CHARACTERS)
  const believed = Math.min(seen, msPerCharacter * LARGEST_JUMP)
  return Math.max(1e-6, msPerCharacter + WEIGHT_OF_LATEST * (believed - msPerCharacter))
}
