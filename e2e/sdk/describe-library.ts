// What every library that is built on the reference API has to do with this one, however programs call it.

import { numberedText } from '@hearth/gateway/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DISABLED, FULL, LONELY, UNKNOWN, type System } from '../harness/start-system.ts'
import { callsThenAnswers } from './calls-then-answers.ts'

export interface SentRequest {
  /** FULL if it says nothing. */
  model?: string
  temperature?: number
  apiKey?: string
}

export interface Library {
  text(asked?: SentRequest): Promise<string>
  /** Rejects with an error that the stream ends with. */
  stream(onText: (text: string) => void): Promise<void>
  /** Answers "weather?" with the result of this tool. */
  callTool(tool: typeof WEATHER, isStream: boolean): Promise<string>
  object(schema: typeof DEGREES): Promise<unknown>
  /** Of the statuses that it reports: how an error shows one. */
  statuses: readonly number[]
  shows(status: number): object
}

const CITY = z.object({ city: z.string() })
const DEGREES = z.object({ city: z.string(), degrees: z.number() })
const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: CITY,
  run: ({ city }: { city: string }) => `3 degrees in ${city}`,
}

const REFUSED: Record<number, SentRequest> = {
  400: { temperature: 9 },
  401: { apiKey: 'sk-hearth-wrong' },
  403: { model: DISABLED },
  404: { model: UNKNOWN },
  503: { model: LONELY },
}

export function describeLibrary(name: string, { full }: System, library: Library): void {
  async function streamed(): Promise<{ text: string; error: unknown }> {
    let text = ''
    const error = await library.stream((piece) => (text += piece)).catch((thrown: unknown) => thrown)
    return { text, error }
  }

  describe(name, () => {
    it('[K103] gets text, whole and streamed', async () => {
      expect(await library.text()).toBe(numberedText(8))
      expect(full.jobs.at(-1)!.request).toMatchObject({ model: FULL, messages: [{ role: 'user', content: 'hi' }] })
      expect(await streamed()).toStrictEqual({ text: numberedText(8), error: undefined })
    })

    it.each([false, true])('[K103] calls tools, stream %s', async (isStream) => {
      full.plan = callsThenAnswers
      expect(await library.callTool(WEATHER, isStream)).toBe(numberedText(8))
      expect(full.jobs.at(-1)!.request.messages.slice(-2)).toMatchObject([
        { role: 'assistant', toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] },
        { role: 'tool', content: '3 degrees in Oslo' },
      ])
    })

    it('[K103] generates objects', async () => {
      full.plan = { text: ['{"city":"Oslo",', '"degrees":3}'] }
      expect(await library.object(DEGREES)).toStrictEqual({ city: 'Oslo', degrees: 3 })
      expect(full.jobs.at(-1)!.request.responseFormat?.type).toBe('json_schema')
    })

    it.each(library.statuses)('[K103] reports status %i', async (status) => {
      await expect(library.text(REFUSED[status])).rejects.toMatchObject(library.shows(status))
    })

    it('[K103] reports an error in the middle of a stream', async () => {
      full.plan = { failure: { at: 3 } }
      const { text, error } = await streamed()
      expect(text).toBe(numberedText(3))
      expect(JSON.stringify(error, ['code', 'message', 'error', 'data'])).toContain('server_error')
    })
  })
}
