// `npm ci` runs this in the repository. npm 10, which comes with Node 20 and 22, leaves no link to the pinned Node: it removes the packages for
// other systems, and with them the link, which has the same name for all of them.

'use strict'

var fs = require('fs')
var path = require('path')
var pinnedNode = require('./with-pinned-node.cjs').pinnedNode

var link = path.join(__dirname, '..', '..', '..', 'node_modules', '.bin', 'node')
var isWindows = process.platform === 'win32'

/** Undefined where only some of the packages were installed. */
function findPinned() {
  try {
    return pinnedNode()
  } catch {
    return undefined
  }
}

var node = findPinned()
if (node !== undefined && !fs.existsSync(isWindows ? link + '.cmd' : link)) {
  if (isWindows) fs.writeFileSync(link + '.cmd', '@"' + node + '" %*\r\n')
  else fs.symlinkSync(path.relative(path.dirname(link), node), link)
}
