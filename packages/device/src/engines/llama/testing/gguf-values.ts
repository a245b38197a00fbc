// Where the parts of a GGUF file end, one after the other.

const [TEXT, LIST] = [8, 9]
/** By the number of a type. Texts and lists say how long they are. */
const BYTES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]

export function textEnd(file: Buffer, at: number): number {
  return at + 8 + Number(file.readBigUInt64LE(at))
}

export function valueEnd(file: Buffer, at: number, type: number): number {
  if (type === TEXT) return textEnd(file, at)
  if (type !== LIST) return at + BYTES[type]!
  let end = at + 12
  for (let left = Number(file.readBigUInt64LE(at + 4)); left > 0; left--)
    end = valueEnd(file, end, file.readUInt32LE(at))
  return end
}
