/** ASCII text is the same in every encoding, so it can be sent as it is. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
