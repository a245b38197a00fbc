#!/usr/bin/env node
// The hearth-seal command, for whichever Node is there: npm makes a link to it in node_modules/.bin.

'use strict'

require('@hearth/command-line/with-pinned-node')(__dirname + '/../src/main.ts', 'Run "npm ci", which installs it.')
