#!/usr/bin/env node
// The hearth command. Each of its commands is loaded only when it runs: `status` needs no gateway.

import { openCompileCache } from '@hearth/command-line/program/compile-cache'
import { openQuickImports } from '@hearth/command-line/program/quick-imports'
import { guardMemory } from '@hearth/command-line/program/guard-memory'

openCompileCache()
openQuickImports()
guardMemory()
const { runHearth } = await import('./run-hearth.ts')
const code = await runHearth(process.argv.slice(2))
if (code !== undefined) process.exitCode = code
