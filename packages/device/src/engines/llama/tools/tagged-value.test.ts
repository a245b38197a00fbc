import { addSchema, GrammarRules, type SchemaObject } from '@hearth/json-schema-grammar'
import { createChance, matches, randomText } from '@hearth/json-schema-grammar/testing'
import type { JobTool } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { readCalls } from '../../formats/tool-calls.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'
import { addCalls } from './tool-grammar.ts'

const UNQUOTED = { glue: '', stringOpen: '', stringClose: '' }

/** As in Qwen3-Coder. */
const TAGGED: ToolSyntax = {
  begin: ['<tool_call>\n<function='],
  middle: ['>\n'],
  end: ['</function>\n</tool_call>'],
  tags: { ...UNQUOTED, keyOpen: '<parameter=', assign: '>\n', valueClose: '\n</parameter>\n' },
  triggers: [],
}

/** As in DeepSeek V3.2: the tag says whether a value is text. */
const TYPED: ToolSyntax = {
  ...TAGGED,
  tags: {
    ...UNQUOTED,
    keyOpen: '<parameter name="',
    assign: '" ',
    valueClose: '</parameter>\n',
    stringOpen: 'string="true">',
    otherOpen: ['string="false">'],
  },
}

/** As in Gemma 4. */
const OWN_QUOTES: ToolSyntax = {
  begin: ['<|tool_call>call:'],
  middle: ['{'],
  end: ['}<tool_call|>'],
  tags: {
    keyOpen: '',
    assign: ':',
    valueClose: '',
    glue: ',',
    stringOpen: '<|"|>',
    stringClose: '<|"|>',
  },
  triggers: [],
}

function toolWith(schema: SchemaObject): JobTool {
  return { name: 'set', parameters: { type: 'object', properties: { a: schema }, required: ['a'] }, strict: true }
}

const tagged = (value: string) =>
  `<tool_call>\n<function=set>\n<parameter=a>\n${value}\n</parameter>\n</function>\n</tool_call>`
const typed = (value: string) =>
  `<tool_call>\n<function=set>\n<parameter name="a" ${value}</parameter>\n</function>\n</tool_call>`
const own = (value: string) => `<|tool_call>call:set{a:${value}}<tool_call|>`

/** The argument that is read from a reply; undefined if the grammar doesn't allow it. */
function written(syntax: ToolSyntax, schema: SchemaObject, reply: string): unknown {
  const rules = new GrammarRules()
  const isAllowed = matches(addCalls(syntax, [toolWith(schema)], rules), rules, reply)
  return isAllowed ? readArgument(syntax, schema, reply) : undefined
}

function readArgument(syntax: ToolSyntax, schema: SchemaObject, reply: string): unknown {
  const [call] = readCalls(reply, syntax, [toolWith(schema)]) ?? []
  return call && (JSON.parse(call.arguments) as { a: unknown }).a
}

const NULLABLE: SchemaObject = { type: ['string', 'null'] }
const OPTIONAL: SchemaObject = { anyOf: [{ type: 'string' }, { type: 'null' }], default: null }
const NUMBERED: SchemaObject = { anyOf: [{ type: 'string' }, { type: 'integer' }] }
const LIMITED: SchemaObject = { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 5 }] }
const LISTED: SchemaObject = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
const CHOSEN: SchemaObject = { type: ['string', 'null'], enum: ['red', '"quoted"', null] }

describe('a tagged argument that can be text or something else', () => {
  it.each([
    [NULLABLE, 'Ada <b>', 'Ada <b>'],
    [NULLABLE, '<div>\n</div>', '<div>\n</div>'],
    [NULLABLE, 'null', null],
    [NULLABLE, '5', '5'],
    [NULLABLE, '"quoted"', 'quoted'],
    [OPTIONAL, 'nullable', 'nullable'],
    [OPTIONAL, 'null', null],
    [NUMBERED, '123 Main St', '123 Main St'],
    [NUMBERED, '123', 123],
    [NUMBERED, '12.5', '12.5'],
    [LIMITED, 'many', 'many'],
    [LIMITED, '7', 7],
    [LIMITED, '"3"', '3'],
    [LISTED, 'one', 'one'],
    [LISTED, '["one", "two"]', ['one', 'two']],
    [CHOSEN, 'red', 'red'],
    [CHOSEN, 'null', null],
  ])('%j takes %j', (schema, text, value) => {
    expect(written(TAGGED, schema, tagged(text))).toEqual(value)
  })

  it.each([
    [LIMITED, '3'],
    [LISTED, '[1]'],
    [CHOSEN, 'blue'],
    [CHOSEN, '"quoted"'],
    [{ anyOf: [{ type: 'string', minLength: 4 }, { type: 'null' }] }, 'a'],
    [{ anyOf: [{ type: 'string' }, { const: false }] }, 'true'],
  ])('%j doesn’t take %j', (schema: SchemaObject, text: string) => {
    expect(written(TAGGED, schema, tagged(text))).toBeUndefined()
  })

  it('is text if the model says so, and JSON otherwise', () => {
    expect(written(TYPED, NULLABLE, typed('string="true">null'))).toBe('null')
    expect(written(TYPED, NULLABLE, typed('string="false">null'))).toBeNull()
    expect(written(TYPED, NUMBERED, typed('string="true">5'))).toBe('5')
  })
})

const LIMITED_TEXTS: [SchemaObject, accepted: string[], rejected: string[]][] = [
  [{ type: 'string', maxLength: 5 }, ['', 'a"b\\n', 'a\nb', 'é🙂'], ['\\u0041\\n', 'longer']],
  [{ type: 'string', minLength: 2 }, ['ab', '\\n', 'é🙂'], ['', 'a']],
  [{ type: 'string', pattern: '^[a-z"]+\\n?$' }, ['a"b', 'a\n'], ['a\\n', 'a\\"b']],
  [{ type: 'string', pattern: '^<[a-z]>$' }, ['<b>'], ['b', '</parameter>']],
  [{ type: 'string', not: { pattern: '^x' } }, ['a x'], ['x']],
  [{ type: 'string', allOf: [{ minLength: 2 }] }, ['ab'], ['a']],
  [{ type: 'string', enum: ['a', 'bc'], maxLength: 1 }, ['a'], ['bc']],
]

describe('a tagged argument that is text with limits', () => {
  it.each(LIMITED_TEXTS)('is limited as it is read, without escapes: %j', (schema, accepted, rejected) => {
    for (const text of accepted) {
      expect(written(TAGGED, schema, tagged(text))).toBe(text)
      expect(written(TYPED, schema, typed(`string="true">${text}`))).toBe(text)
      expect(written(OWN_QUOTES, schema, own(`<|"|>${text}<|"|>`))).toBe(text)
    }
    for (const text of rejected) {
      expect([text, written(TAGGED, schema, tagged(text))]).toEqual([text, undefined])
      expect([text, written(TYPED, schema, typed(`string="true">${text}`))]).toEqual([text, undefined])
    }
  })

  it.each([
    ...[NULLABLE, OPTIONAL, NUMBERED, LIMITED, LISTED].map((schema) => ({ schema, syntaxes: [TAGGED, TYPED] })),
    ...LIMITED_TEXTS.map(([schema]) => ({ schema, syntaxes: [TAGGED, TYPED, OWN_QUOTES] })),
  ])('$schema is valid, whatever the model writes', ({ schema, syntaxes }) => {
    const chance = createChance(11)
    for (const syntax of syntaxes)
      for (let count = 0; count < 100; count++) {
        const [rules, json] = [new GrammarRules(), new GrammarRules()]
        const reply = randomText(addCalls(syntax, [toolWith(schema)], rules), rules, chance)
        const value = readArgument(syntax, schema, reply)
        expect([reply, matches(addSchema(schema, json), json, JSON.stringify(value))]).toEqual([reply, true])
      }
  })

  it('may not contain the tag that ends it', () => {
    const close = 'a</parameter>\n<parameter name="b" '
    expect(written(TYPED, { type: 'string', maxLength: 99 }, typed(`string="true">${close}`))).toBeUndefined()
  })
})

describe('an argument of a family with quotes of its own', () => {
  it.each([
    [{ type: 'array' }, '[<|"|>one<|"|>,2,[],{key:<|"|>x<|"|>,other:null}]', ['one', 2, [], { key: 'x', other: null }]],
    [{ type: 'array' }, '["one", 2]', ['one', 2]],
    [{ type: 'array', items: {} }, '[true, <|"|>"<|"|>]', [true, '"']],
    [{ type: 'array', items: { type: 'string' } }, '[<|"|>one<|"|>,<|"|>two<|"|>]', ['one', 'two']],
    [{ type: ['array', 'null'] }, '[<|"|>one<|"|>]', ['one']],
    [{ type: ['array', 'null'] }, 'null', null],
    [{ anyOf: [{ type: 'array' }, { type: 'null' }] }, '[<|"|>one<|"|>]', ['one']],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '[<|"|>b<|"|>]', ['b']],
    [{ type: 'object', properties: { b: { type: 'string' } } }, '{b:<|"|>x<|"|>}', { b: 'x' }],
    [{ type: 'object' }, '{b:<|"|>x<|"|>}', { b: 'x' }],
    [{}, '[<|"|>one<|"|>]', ['one']],
  ])('%j takes %s', (schema: SchemaObject, text: string, value: unknown) => {
    expect(written(OWN_QUOTES, schema, own(text))).toEqual(value)
  })

  it.each([
    [{ type: 'array', items: { type: 'string' } }, '[1]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '[<|"|>c<|"|>]'],
    [{ type: 'array', minItems: 1 }, '[]'],
    [{ type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }, '{}'],
  ])('%j doesn’t take %s', (schema: SchemaObject, text: string) => {
    expect(written(OWN_QUOTES, schema, own(text))).toBeUndefined()
  })
})
