// `npm run truth`: runs the tables against tests that other people wrote, and fails if a bar is missed.

import { parseArgs } from 'node:util'
import { chatTests } from './tables/chat-tests.ts'
import { jsonSchemaSuite } from './tables/json-schema-suite.ts'
import { largeSchemas } from './tables/large-schemas.ts'
import { maskbench } from './tables/maskbench.ts'
import { schemaCollection } from './tables/schema-collection.ts'
import { schemaLibraries } from './tables/schema-libraries.ts'
import { schemaSpeed } from './tables/schema-speed.ts'
import { templates } from './tables/templates.ts'
import { printTable, type Table } from './table.ts'

const TABLES: Readonly<Record<string, () => Promise<Table>>> = {
  // First, while nothing is in any cache.
  'schema-speed': schemaSpeed,
  'json-schema-suite': jsonSchemaSuite,
  'schema-libraries': schemaLibraries,
  'schema-collection': schemaCollection,
  'large-schemas': largeSchemas,
  maskbench,
  'chat-tests': chatTests,
  templates,
}

const { values, positionals: names } = parseArgs({
  options: { details: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = names.filter((name) => TABLES[name] === undefined)
if (unknown.length > 0) {
  console.error(`Unknown table: ${unknown.join(', ')}. Choose from: ${Object.keys(TABLES).join(', ')}`)
  process.exit(2)
}

let isMissed = false
for (const [name, run] of Object.entries(TABLES)) {
  if (names.length > 0 && !names.includes(name)) continue
  const table = await run()
  console.log(printTable(name, table, values.details))
  isMissed ||= table.bars.some(({ isMet }) => !isMet)
}
process.exitCode = isMissed ? 1 : 0
