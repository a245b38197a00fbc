// Writes a WebSocket message as one string. The library writes the head of a frame and its text as two buffers, which takes more than twice as
// long: a lone job for a device is a message of its own, and most of what it costs is sending it.

import type { Writable } from 'node:stream'

/** A text frame that is complete. What a server sends is not masked. */
const TEXT = '\x81'
const SMALL = 125
const TWO_BYTES = 126
const EIGHT_BYTES = 127

export function writeText(socket: Writable, text: string): void {
  const size = Buffer.byteLength(text)
  // Text without special characters is the same in Latin-1, which has all bytes of the head too.
  if (size === text.length) return void socket.write(TEXT + formatSize(size) + text, 'latin1')
  socket.cork()
  socket.write(TEXT + formatSize(size), 'latin1')
  socket.write(text, 'utf8')
  socket.uncork()
}

function formatSize(size: number): string {
  if (size <= SMALL) return String.fromCharCode(size)
  if (size < 65_536) return String.fromCharCode(TWO_BYTES, size >> 8, size & 255)
  return String.fromCharCode(EIGHT_BYTES, 0, 0, 0, 0, size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255)
}
