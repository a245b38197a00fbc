// Reads the text of a response that could be of any length.

/** The response is longer than whoever asked is ready to read. */
export class TooLong extends Error {
  override name = 'TooLong'
}

/** Throws TooLong, and whatever breaks the connection. */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new TooLong(`the response is longer than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
