// JSON schema to llama.cpp grammar. `schemaToGrammar` is all that most callers need; the rest is
// for grammars with more around the JSON.

export {
  EMPTY,
  characters,
  choice,
  literal,
  optional,
  repeat,
  sequence,
  type CharacterRange,
  type Expression,
} from './grammar/expression.ts'
export { GrammarRules, type GrammarTree, type WrittenGrammar } from './grammar/grammar-rules.ts'
export { GrammarTooLarge } from './grammar/grammar-too-large.ts'
export { ItemFollower, type FollowedItems } from './items/item-follower.ts'
export { TooManyWays } from './items/ways.ts'
export { oneOfTexts, textUpTo } from './grammar/texts.ts'
export { possibleCharacters, readCharacters, type Unfinished } from './follow/characters.ts'
export { GrammarFollower, mayContinue, nextCharacters } from './follow/grammar-follower.ts'
export { isAlive, type Place } from './follow/place.ts'
export { schemaToGrammar } from './schema-to-grammar.ts'
export { Converter, addSchema } from './convert/convert.ts'
export { enforceFurthest } from './schema/enforce-furthest.ts'
export { blank } from './convert/json-text.ts'
export { SchemaError, below } from './schema/schema-error.ts'
export { isObject, readNames, readProperties, type Schema, type SchemaObject } from './schema/schema-object.ts'
export { rawText } from './convert/raw-text.ts'
export { isPlainString } from './convert/strings.ts'
export { prepareFormats } from './shape/string-shape.ts'
