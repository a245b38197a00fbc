const CHARACTERS_PER_TOKEN = 4

/** For text that the device did not count. May be a fraction, so that the parts of a text add up to the whole. */
export function estimateTokens(characters: number): number {
  return characters / CHARACTERS_PER_TOKEN
}

/** The other way round. */
export function charactersOf(tokens: number): number {
  return Math.ceil(tokens / estimateTokens(1))
}
