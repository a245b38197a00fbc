#!/usr/bin/env node
// The hearth-device command that npm installs.

'use strict'

require('./with-pinned-node.cjs')(
  require('path').join(__dirname, '..', 'src', 'main.js'),
  process.argv.slice(2),
  'Reinstall the app with its optional packages, or install a newer Node.',
)
