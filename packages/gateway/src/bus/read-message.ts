import type { z } from 'zod'

/** What a gateway published as JSON. Undefined for anything else: a gateway of another version may send other messages. */
export function readMessage<Schema extends z.ZodType>(
  schema: Schema,
  payload: Uint8Array,
): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(payload).toString())).data
  } catch {
    return undefined
  }
}
