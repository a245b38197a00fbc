#!/usr/bin/env node
// Entry point of the device app.

import { runMain } from '@hearth/command-line/program/run-main'

await runMain(
  { title: 'The device app', command: 'hearth-device', seesPrompts: true },
  async () => (await import('./commands/program.ts')).runDevice,
)
