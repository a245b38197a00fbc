// Requests to the device that has all features, and the job it got. Shared by the tests of what reaches a device.

import { expectCompletion, expectError } from './client/expect-reply.ts'
import type { CompletionBody } from './client/reply-shapes.ts'
import { FULL, HI, lastJob, type System } from './start-system.ts'

export const TOOL = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}

export const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'integer' } },
  required: ['a'],
  additionalProperties: false,
}

export function askDevice({ client, full }: Pick<System, 'client' | 'full'>) {
  const ask = async (fields: object, model = FULL) => client.post({ model, messages: HI, ...fields })
  const accepted = async (fields: object): Promise<CompletionBody> => expectCompletion(await ask(fields))
  return {
    ask,
    accepted,
    /** The job the device got, without model and messages. */
    sent: async (fields: object): Promise<object> => {
      await accepted(fields)
      const { model: _, messages: __, ...rest } = lastJob(full)
      return rest
    },
    rejected: async (fields: object, code: string, param?: string) =>
      expectError(await ask(fields), { status: 400, code, ...(param !== undefined && { param }) }),
  }
}
