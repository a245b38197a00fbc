#!/usr/bin/env node
// The installer's first file. Plain JavaScript of an old kind, so that an old Node can read it and say that it is too old.

'use strict'

var OLDEST_NODE = 20

if (parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(
    'Cannot install the device app with Node ' +
      process.versions.node +
      ': Node ' +
      OLDEST_NODE +
      ' or newer is needed.\n' +
      'Get it at https://nodejs.org. The app itself brings the Node it runs on',
  )
  process.exit(1)
}
import('../src/install/main.js').catch(function (error) {
  console.error(error)
  process.exit(1)
})
