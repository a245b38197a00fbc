#!/usr/bin/env node
// The operator's command line: `hearth admin <command>`. It uses the same store as the gateway, even while the gateway is running;
// changes hold at every gateway when a command ends.

import { runMain } from '@hearth/command-line/program/run-main'

await runMain(
  { title: 'hearth admin', command: 'hearth admin', seesPrompts: false },
  async () => (await import('./command-line.ts')).runAdmin,
)
