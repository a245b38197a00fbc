// The request and the answer for every system under test: the same request, the same hundred tokens.

export const TOKENS = Array.from({ length: 100 }, (_, index) => ` token${index}`)
export const MODEL = 'bench-model'
/** How fast a device answers when it answers at a pace. */
export const STEPS_PER_SECOND = 20

export function requestBody(stream: boolean, model = MODEL): string {
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: 'You are a helpful assistant that answers briefly and to the point.' },
      { role: 'user', content: 'Describe the way from the harbour to the old town hall. '.repeat(8) },
    ],
    temperature: 0.7,
    max_tokens: 256,
    stream,
  })
}
