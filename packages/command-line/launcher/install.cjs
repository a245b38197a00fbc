#!/usr/bin/env node
// The entry point of a program's installer. Packed beside it, under its name. Written in old JavaScript, so that an old Node can parse it and say that it is too old.

'use strict'

var OLDEST_NODE = 20

if (parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(
    "Can't install with Node " +
      process.versions.node +
      ': the installer needs Node ' +
      OLDEST_NODE +
      ' or newer.\n' +
      'Get it from https://nodejs.org. The program itself comes with the Node version it runs on.',
  )
  process.exit(1)
}
import('../src/install/main.js').catch(function (error) {
  console.error(error)
  process.exit(1)
})
