#!/usr/bin/env node
// The hearth command: `npx hearth` in a checkout.

'use strict'

require('@hearth/command-line/with-pinned-node')(
  require('path').join(__dirname, '..', 'src', 'main.ts'),
  process.argv.slice(2),
  'Run "npm ci", which installs it.',
)
