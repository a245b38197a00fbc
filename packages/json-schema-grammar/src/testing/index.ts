export { createChance, randomSchema, randomShortSchema, type Chance } from './random-schema.ts'
export { randomText } from './random-text.ts'
export { SCHEMA_EXAMPLES, type SchemaExample } from './schema-examples.ts'
export { judgeSchema, type Verdict } from './judge-schema.ts'
