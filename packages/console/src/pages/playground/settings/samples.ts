// Examples to start from, for people who have no schema or tools at hand.

export const SAMPLE_SCHEMA = JSON.stringify(
  {
    type: 'object',
    properties: {
      title: { type: 'string' },
      rating: { type: 'integer', minimum: 1, maximum: 5 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['title', 'rating', 'tags'],
    additionalProperties: false,
  },
  null,
  2,
)

export const SAMPLE_TOOLS = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Get the current weather in a city',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    },
  ],
  null,
  2,
)
