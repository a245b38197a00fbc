#!/usr/bin/env node
// Entry point of hearth-seal.

import { runMain } from '@hearth/command-line/program/run-main'

await runMain(
  { title: 'hearth-seal', command: 'hearth-seal', seesPrompts: true },
  async () => (await import('./commands/program.ts')).runSeal,
)
