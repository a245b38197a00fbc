#!/usr/bin/env node
// The command of a program that a gateway has handed out, as npm installs it. Packed beside the program, under its name.

'use strict'

require('./with-pinned-node.cjs')(
  __dirname + '/../src/main.js',
  'Reinstall it with its optional packages, or install a newer Node.',
)
