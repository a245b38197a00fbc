// Identifies a file that isn't GGUF by its first bytes, so that the error says what it really is.

export function nameForeignFile(start: Buffer): string {
  if (start.length === 0) return 'an empty file'
  const [first, second = 0] = start
  const text = start.toString('latin1')
  const lower = text.trimStart().toLowerCase()
  if (lower.startsWith('<!doctype html') || lower.startsWith('<html')) return 'a web page (HTML)'
  if (lower.startsWith('version https://git-lfs')) return 'a Git LFS pointer'
  if (isSafetensors(start)) return 'a safetensors file'
  if (text.startsWith('PK\u0003\u0004')) return 'a ZIP archive or a PyTorch file'
  if (/^(lmgg|fmgg|tjgg|algg)/.test(text)) return 'a GGML file, the format before GGUF'
  if (first === 0x1f && second === 0x8b) return 'a gzip archive'
  if (first === 0x80 && start.length > 1 && second <= 5) return 'a Python pickle'
  if (lower.startsWith('{') || lower.startsWith('[')) return 'a JSON file'
  if (lower.startsWith('<')) return 'an XML or HTML file'
  return 'an unknown kind of file'
}

/** A length of eight bytes, then a JSON header of that length. */
function isSafetensors(start: Buffer): boolean {
  return start.length > 9 && start[8] === 0x7b && start.readBigUInt64LE() < 1_000_000_000n
}
