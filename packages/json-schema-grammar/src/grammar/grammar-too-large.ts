// A grammar that would be too much for llama.cpp.

export class GrammarTooLarge extends Error {
  override name = 'GrammarTooLarge'
}
