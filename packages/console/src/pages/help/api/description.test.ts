import { describe, expect, it } from 'vitest'
import { listOperations, resolve, type Description } from './description.ts'
import { exampleOf, makeCurl } from './make-curl.ts'
import { writeApi } from './write-api.ts'

const DESCRIPTION: Description = {
  info: { title: 'Test' },
  paths: {
    '/things/{thing}': {
      put: {
        operationId: 'putThing',
        tags: ['Things'],
        'x-access': 'signed-in',
        parameters: [
          { name: 'thing', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'from', in: 'query', required: true, schema: { type: 'string', example: 'a b' } },
          { name: 'rest', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { 200: { description: 'Done' }, 404: { $ref: '#/components/responses/404' } },
      },
    },
  },
  components: {
    responses: { 404: { description: 'None', 'x-codes': { not_found: 'There is none' } } },
    schemas: {
      Thing: {
        type: 'object',
        description: 'A thing',
        required: ['name', 'parts'],
        properties: {
          name: { type: 'string', example: "Ada's", minLength: 1, maxLength: 9 },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' }, maxItems: 3 },
          kind: { oneOf: [{ type: 'string' }, { type: 'null' }] },
          size: { enum: ['s', 'm'], default: 's' },
          count: { type: 'integer', minimum: 1 },
        },
      },
    },
  },
}
const [operation] = listOperations(DESCRIPTION)

describe('an OpenAPI description', () => {
  it('lists operations and resolves the references in their responses', () => {
    expect(operation).toMatchObject({ method: 'put', path: '/things/{thing}', tag: 'Things' })
    expect(operation!.responses).toStrictEqual([
      ['200', { description: 'Done' }],
      ['404', { description: 'None', 'x-codes': { not_found: 'There is none' } }],
    ])
  })

  it('becomes a page of Help for each topic, with nested fields and error codes, even with recursive schemas', () => {
    const api = { name: 'console', source: '/x.json', baseUrl: 'https://hearth.example', known: {} } as const
    const [page] = writeApi(DESCRIPTION, api)
    expect(page).toMatchObject({ path: 'api/console/things', title: 'Console API: Things' })
    const { heading, text } = page!.sections[1]!
    expect(heading).toBe('PUT /things/{thing}')
    for (const part of [
      'Anyone who is signed in can call this.',
      '- `from` (string, query, **required**)',
      '- `name` (string, **required**, 1 to 9 characters)',
      '- `parts` (array of Thing, **required**, at most 3 items)',
      '- `kind` (string or null)',
      '- `size` ("s" or "m", default "s")',
      '- `count` (integer, at least 1)',
      '- `404` None\n  - `not_found` There is none',
    ])
      expect(text).toContain(part)
  })

  it('prefers properties next to a reference, and names a reference that is missing', () => {
    expect(resolve(DESCRIPTION, { $ref: '#/components/schemas/Thing', description: 'Mine' }).description).toBe('Mine')
    expect(() => resolve(DESCRIPTION, { $ref: '#/components/schemas/None' })).toThrow('#/components/schemas/None')
  })
})

describe('makeCurl', () => {
  it('uses values that exist', () => {
    const known = { model: 'org/qwen3:8b', organization: 'o1' }
    const body = { schema: {}, example: { model: 'other', n: 1 } }
    const path = '/organizations/{organization}/models/{model}'
    const ask = { ...operation!, path, parameters: [], requestBody: { content: { 'application/json': body } } }
    const command = makeCurl(DESCRIPTION, ask, 'https://hearth.example', known)
    expect(command).toContain("'https://hearth.example/organizations/o1/models/org%2Fqwen3:8b'")
    expect(command).toContain('"model": "org/qwen3:8b",\n    "n": 1')
  })

  it('fills in the URL, required values and authentication', () => {
    expect(makeCurl(DESCRIPTION, operation!, 'https://hearth.example')).toBe(
      [
        `curl -X PUT 'https://hearth.example/things/THING?from=a%20b'`,
        `-b cookies.txt`,
        `-H "Content-Type: application/json"`,
        `-d '{`,
      ].join(' \\\n  ') +
        String.raw`
    "name": "Ada'\''s",
    "parts": [
      {
        "name": "Ada'\''s",
        "parts": [
          {}
        ]
      }
    ]
  }'`,
    )
  })

  it('has an example for every type', () => {
    const types = ['string', 'integer', 'boolean', 'array', 'object']
    expect(types.map((type) => exampleOf(DESCRIPTION, { type }))).toStrictEqual(['…', 1, true, [], {}])
  })
})
