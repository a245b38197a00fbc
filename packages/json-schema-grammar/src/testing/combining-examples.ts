// Schemas whose keywords limit each other, with texts that match and texts that don't.

import { array, BOOLEAN, INTEGER, NULL, NUMBER, object, STRING, type Examples } from './schema-example.ts'

const tree = (name: string) => object({ [name]: { $ref: `#/$defs/${name}` }, n: INTEGER })

export const COMBINING_EXAMPLES: Examples = {
  patternProperties: [
    object({ id: INTEGER }, { patternProperties: { '^x-': STRING, '^n': NUMBER }, required: ['id'] }),
    ['{"id":1}', '{"id":1,"x-a":"b","n1":2}', '{"id":1,"n1":2,"x-a":"b"}'],
    ['{"id":1,"x-a":1}', '{"id":1,"other":1}', '{"x-a":"b"}', '{"id":1,"n1":"2"}'],
  ],
  'patternProperties that overlap': [
    { type: 'object', patternProperties: { '^a': INTEGER, b$: { maximum: 3 } }, additionalProperties: NULL },
    ['{"ab":3}', '{"a":9}', '{"c":null}', '{"b":2}'],
    ['{"ab":4}', '{"c":1}', '{"a":"x"}', '{"b":4}'],
  ],
  'patternProperties without other properties': [
    { type: 'object', patternProperties: { '^[a-z]+$': BOOLEAN }, additionalProperties: false },
    ['{}', '{"a":true,"b":false}'],
    ['{"A":true}', '{"a":1}'],
  ],
  'not a type': [{ not: { type: ['string', 'object'] } }, ['1', 'null', '[]'], ['"a"', '{}']],
  'not a value': [{ type: 'string', not: { enum: ['a', 'ab'] } }, ['"b"', '""', '"abc"'], ['"a"', '"ab"', '1']],
  'not a pattern': [{ type: 'string', not: { pattern: '^a' } }, ['"b"', '""'], ['"a"', '"ab"']],
  'not a number': [{ type: 'integer', not: { const: 5 }, minimum: 4, maximum: 6 }, ['4', '6'], ['5', '7']],
  'not in a range': [{ type: 'integer', not: { minimum: 3 } }, ['2', '-7'], ['3', '4']],
  'not with a property': [
    object({ a: INTEGER, b: INTEGER }, { not: { required: ['a', 'b'] } }),
    ['{}', '{"a":1}', '{"b":1}'],
    ['{"a":1,"b":2}'],
  ],
  'not not': [{ not: { not: { type: 'integer', minimum: 3 } } }, ['3'], ['2', '"a"']],
  'not any of': [{ type: 'integer', not: { anyOf: [{ maximum: 2 }, { const: 5 }] } }, ['3', '6'], ['2', '5']],
  'not an array of one': [{ type: 'array', items: INTEGER, not: { const: [1] } }, ['[]', '[2]', '[1,1]'], ['[1]']],
  'not additional properties': [
    object({ a: true, b: true }, { not: { properties: { a: true }, additionalProperties: false } }),
    ['{"b":1}', '{"a":1,"b":1}'],
    ['{}', '{"a":1}'],
  ],
  'oneOf that overlaps': [{ oneOf: [INTEGER, { type: 'number', minimum: 2 }] }, ['1', '2.5', '-3'], ['2', '3', '1.5']],
  'oneOf of an enum and a pattern': [
    {
      oneOf: [
        { type: 'string', enum: ['auto', 'c1'] },
        { type: 'string', pattern: '^c[0-9]$' },
      ],
    },
    ['"auto"', '"c2"'],
    ['"c1"', '"d"'],
  ],
  'not of a format whose pattern is stricter': [
    { type: 'string', not: { format: 'hostname' } },
    ['"a b"', '"foo/bar"'],
    ['"foo"', '"foo.example"', '1'],
  ],
  'oneOf of formats that overlap': [
    { type: 'string', oneOf: [{ format: 'hostname' }, { format: 'ipv4' }] },
    ['"foo"', '"foo.example"', '"256.1.1.1"'],
    ['"127.0.0.1"', '"a b"', '1'],
  ],
  'oneOf of formats that have nothing in common': [
    { type: 'string', oneOf: [{ format: 'ipv6' }, { format: 'ipv4' }] },
    ['"::1"', '"127.0.0.1"'],
    ['"foo"', '1'],
  ],
  'not a format': [{ type: 'string', not: { format: 'ipv4' } }, ['"foo"', '""', '"1.2.3"'], ['"1.2.3.4"', '1']],
  'oneOf by patterns that are lists of texts': [
    {
      oneOf: [
        object({ type: { type: 'string', pattern: '^(circle|disk)$' } }, { required: ['type'] }),
        object({ type: { type: 'string', pattern: '^square$' } }, { required: ['type'] }),
      ],
    },
    ['{"type":"disk"}', '{"type":"square"}'],
    ['{"type":"squares"}', '{"type":"dis"}', '{}'],
  ],
  'a pattern with words that begin alike, somewhere in the text': [
    { type: 'string', pattern: '(a|ab|abc|abd|b.|b.)' },
    ['"a"', '"xabdx"', '"bz"'],
    ['"b"', '"xyz"', '""'],
  ],
  'oneOf by required properties': [
    object({ a: INTEGER, b: INTEGER }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ['{"a":1}', '{"b":1}'],
    ['{}', '{"a":1,"b":1}'],
  ],
  'oneOf with an untyped alternative': [{ oneOf: [STRING, { maxLength: 2 }] }, ['"abc"'], ['"ab"', '""']],
  'oneOf of objects with optional properties': [
    {
      oneOf: [
        object({ a: INTEGER }, { additionalProperties: false }),
        object({ b: INTEGER }, { additionalProperties: false }),
      ],
    },
    ['{"a":1}', '{"b":1}'],
    ['{}', '{"a":1,"b":1}'],
  ],
  'if, then and else': [
    object(
      { country: { enum: ['US', 'NL'] }, zip: STRING },
      {
        required: ['country', 'zip'],
        if: { properties: { country: { const: 'US' } } },
        then: { properties: { zip: { pattern: '^[0-9]{5}$' } } },
        else: { properties: { zip: { pattern: '^[0-9]{4} [A-Z]{2}$' } } },
      },
    ),
    ['{"country":"US","zip":"12345"}', '{"country":"NL","zip":"1234 AB"}'],
    ['{"country":"US","zip":"1234 AB"}', '{"country":"NL","zip":"12345"}'],
  ],
  'conditions one after the other': [
    object(
      { kind: { enum: ['a', 'b', 'c'] }, n: INTEGER },
      {
        required: ['kind', 'n'],
        allOf: [
          { if: { properties: { kind: { const: 'a' } } }, then: { properties: { n: { maximum: 1 } } } },
          { if: { properties: { kind: { const: 'b' } } }, then: { properties: { n: { minimum: 9 } } } },
        ],
      },
    ),
    ['{"kind":"a","n":1}', '{"kind":"b","n":9}', '{"kind":"c","n":5}'],
    ['{"kind":"a","n":2}', '{"kind":"b","n":8}'],
  ],
  dependentRequired: [
    object({ card: INTEGER, address: STRING }, { dependentRequired: { card: ['address'] } }),
    ['{}', '{"address":"x"}', '{"card":1,"address":"x"}'],
    ['{"card":1}'],
  ],
  dependentSchemas: [
    object(
      { a: INTEGER, b: INTEGER },
      { dependentSchemas: { a: { properties: { b: { minimum: 5 } }, required: ['b'] } } },
    ),
    ['{}', '{"b":1}', '{"a":1,"b":5}'],
    ['{"a":1}', '{"a":1,"b":4}'],
  ],
  'dependencies in old style': [
    object({ a: INTEGER, b: INTEGER }, { dependencies: { a: ['b'], b: { properties: { b: { maximum: 3 } } } } }),
    ['{}', '{"a":1,"b":3}', '{"b":2}'],
    ['{"a":1}', '{"b":4}'],
  ],
  contains: [
    { type: 'array', items: INTEGER, contains: { minimum: 10 } },
    ['[10]', '[1,12,2]'],
    ['[]', '[1,2]', '["a",10]'],
  ],
  'contains a number of times': [
    { type: 'array', items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 2, maxContains: 3, maxItems: 5 },
    ['[1,1]', '[2,1,2,1,1]'],
    ['[1]', '[1,1,1,1]', '[2,1,2,1,1,2]'],
  ],
  multiples: [{ type: 'integer', multipleOf: 7 }, ['0', '7', '-14', '700'], ['1', '8', '-15']],
  'multiples in a range': [
    { type: 'integer', multipleOf: 5, minimum: 8, maximum: 20 },
    ['10', '20'],
    ['5', '25', '12'],
  ],
  'multiples of a hundredth': [
    { type: 'number', multipleOf: 0.01 },
    ['1', '1.5', '-0.07', '19.99'],
    ['0.001', '1.005'],
  ],
  'small positive numbers': [{ type: 'number', minimum: 0 }, ['0', '0.0005', '0.123456789012', '7.25'], ['-0.1', '-1']],
  'bounds with decimals': [
    { type: 'number', exclusiveMinimum: 0.125, maximum: 0.13 },
    ['0.1251', '0.126', '0.13', '0.12500001'],
    ['0.125', '0.1250', '0.1301', '0.2', '0'],
  ],
  'a pattern with a length': [
    { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', maxLength: 5 },
    ['"a-b"', '"abcde"'],
    ['"abcdef"', '"a-"'],
  ],
  'a pattern and a format': [
    { type: 'string', pattern: '^2024', format: 'date' },
    ['"2024-02-29"'],
    ['"2023-02-28"', '"2024"'],
  ],
  'a format with a length': [{ type: 'string', format: 'email', maxLength: 9 }, ['"a@b.co"'], ['"ada@example.com"']],
  'patterns that both have to match': [
    { allOf: [{ type: 'string', pattern: '[0-9]' }, { pattern: '^[a-z0-9]{3}$' }, { pattern: '[a-z]' }] },
    ['"ab1"', '"1a2"'],
    ['"abc"', '"123"', '"ab12"'],
  ],
  'looking ahead': [{ type: 'string', pattern: '^(?=.*[A-Z])(?!.*x)[A-Za-z]{3}$' }, ['"aBc"'], ['"abc"', '"Abx"']],
  'nested repetitions': [{ type: 'string', pattern: '^(a*b?)*$' }, ['""', '"aabab"'], ['"c"']],
  'an impossible optional property': [
    object({ a: INTEGER, b: { allOf: [STRING, NULL] } }),
    ['{}', '{"a":1}'],
    ['{"b":null}', '{"b":"x"}'],
  ],
  'names beside named properties': [
    object({ ab: INTEGER, toolong: INTEGER }, { propertyNames: { maxLength: 3 }, additionalProperties: INTEGER }),
    ['{"ab":1,"abc":2}', '{}'],
    ['{"toolong":1}', '{"abcd":1}'],
  ],
  'names by reference': [
    {
      type: 'object',
      propertyNames: { $ref: '#/$defs/name' },
      additionalProperties: true,
      $defs: { name: { pattern: '^a' } },
    },
    ['{"a":1}'],
    ['{"b":1}'],
  ],
  'a record of an enum': [
    {
      type: 'object',
      propertyNames: { type: 'string', enum: ['a', 'b'] },
      additionalProperties: NUMBER,
      required: ['a', 'b'],
    },
    ['{"a":1,"b":2}'],
    ['{"a":1}', '{"a":1,"b":2,"c":3}', '{"a":1,"a":2}'],
  ],
  'limits beside an enum': [{ enum: [1, 2, 3, 4], multipleOf: 2 }, ['2', '4'], ['1', '3']],
  'lengths beside an enum': [
    { enum: [[1], [1, 1], [1, 2]], minItems: 2, uniqueItems: true },
    ['[1,2]'],
    ['[1]', '[1,1]'],
  ],
  'counts beside an enum': [
    { enum: [{}, { a: 1 }, { a: 1, b: 2 }], minProperties: 1, maxProperties: 1 },
    ['{"a":1}'],
    ['{}', '{"a":1,"b":2}'],
  ],
  'fewer properties than are named': [
    object({ a: NULL, b: NULL, c: NULL }, { minProperties: 2, maxProperties: 2 }),
    ['{"a":null,"c":null}', '{"b":null,"c":null}'],
    ['{"a":null}', '{"a":null,"b":null,"c":null}'],
  ],
  unevaluatedProperties: [
    object({ b: INTEGER }, { allOf: [{ properties: { a: INTEGER } }], unevaluatedProperties: STRING }),
    ['{"b":1,"a":1,"c":"x"}'],
    ['{"b":1,"a":1,"c":1}'],
  ],
  'unevaluatedProperties inside allOf': [
    { allOf: [object({ a: INTEGER }, { unevaluatedProperties: false }), { properties: { b: INTEGER } }] },
    ['{"a":1}', '{}'],
    ['{"a":1,"b":1}', '{"b":1}'],
  ],
  unevaluatedItems: [{ prefixItems: [INTEGER], unevaluatedItems: STRING }, ['[1]', '[1,"a"]'], ['[1,2]']],
  'recursion combined with itself': [
    { $defs: { a: tree('a'), b: tree('b') }, allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] },
    ['{"a":{"a":{},"n":1},"n":2}', '{"b":{"n":1}}'],
    ['{"a":1}'],
  ],
  'anchors and IDs': [
    {
      $id: 'https://example.com/root',
      $defs: { a: { $anchor: 'here', type: 'integer' }, b: { $id: 'other', type: 'string' } },
      type: 'array',
      prefixItems: [{ $ref: '#here' }, { $ref: 'other' }],
      items: false,
    },
    ['[1,"a"]'],
    ['["a",1]'],
  ],
  'web addresses': [
    { type: 'string', format: 'uri' },
    [
      '"http://localhost:8080/a%20b?q=1&r=%C3%A9#part"',
      '"HTTPS://Example.COM"',
      '"mailto:ada@example.com"',
      '"urn:isbn:0451450523"',
      '"http://[::1]/"',
    ],
    ['"not an address"', '"//example.com"', '"http://a b"', '"http://a/%zz"'],
  ],
  'short addresses': [
    { type: 'string', format: 'ipv6' },
    ['"::1"', '"::"', '"fe80::1:2"', '"::ffff:192.0.2.1"', '"1:2:3:4:5:6:7:8"'],
    ['"1::2::3"', '"1:2:3"', '":::"', '"12345::"'],
  ],
  'an email address as zod writes it': [
    {
      type: 'string',
      format: 'email',
      pattern:
        "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    },
    ['"ada.l+x@example.com"'],
    ['".ada@example.com"', '"a..b@example.com"', '"ada@example.c1"'],
  ],
  'a duration as zod writes it': [
    {
      type: 'string',
      format: 'duration',
      pattern:
        '^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$',
    },
    ['"P3Y6M4DT12H30M5S"', '"P2W"', '"PT90M"'],
    ['"P"', '"PT"', '"P1W2D"'],
  ],
  'an address as pydantic writes it': [
    { type: 'string', format: 'uri', minLength: 1, maxLength: 2083 },
    [`"https://example.com/${'a'.repeat(60)}?q=${'b'.repeat(50)}#c"`],
    ['""', `"https://example.com/${'a'.repeat(2083)}"`, '"example"'],
  ],
  'recursive alternatives whose tag is not the first property': [
    {
      $defs: {
        node: {
          oneOf: [
            object({ of: { $ref: '#/$defs/node' }, kind: { const: 'not' } }, { required: ['kind', 'of'] }),
            object(
              { of: array({ $ref: '#/$defs/node' }), kind: { enum: ['and', 'or'] } },
              { required: ['of', 'kind'] },
            ),
            object({ $ref: STRING }, { required: ['$ref'] }),
          ],
        },
      },
      $ref: '#/$defs/node',
    },
    ['{"kind":"not","of":{"kind":"or","of":[{"$ref":"a"},{"kind":"and","of":[]}]}}', '{"$ref":"a"}'],
    ['{"kind":"not","of":[]}', '{"kind":"and"}', '{"kind":"xor","of":[]}', '{}'],
  ],
  'alternatives that contain something recursive': [
    {
      $defs: { tree: array({ $ref: '#/$defs/tree' }) },
      anyOf: [object({ a: { $ref: '#/$defs/tree' }, b: INTEGER }), object({ a: { $ref: '#/$defs/tree' }, c: NULL })],
    },
    ['{"a":[[],[[]]],"b":1}', '{"a":[],"c":null}', '{}'],
    ['{"a":[1]}', '{"a":[],"b":1,"c":null}'],
  ],
  'oneOf whose branches are told apart by a property that is required around them': [
    object(
      { kind: STRING },
      {
        required: ['kind'],
        oneOf: Array.from({ length: 12 }, (_, index) => ({
          properties: { kind: { enum: [`k${index}`] }, a: STRING, b: { minimum: index }, c: NULL },
        })),
      },
    ),
    ['{"kind":"k3","b":3}', '{"kind":"k11","a":"x","b":20,"c":null}'],
    ['{"kind":"k3","b":2}', '{"kind":"other"}', '{"b":20}'],
  ],
  'equal references in schemas with different addresses': [
    {
      $defs: {
        one: { $id: 'http://x.org/one', $defs: { t: STRING }, properties: { v: { $ref: '#/$defs/t' } } },
        two: { $id: 'http://x.org/two', $defs: { t: INTEGER }, properties: { v: { $ref: '#/$defs/t' } } },
      },
      properties: { one: { $ref: 'http://x.org/one' }, two: { $ref: 'http://x.org/two' } },
    },
    ['{"one":{"v":"s"},"two":{"v":1}}'],
    ['{"one":{"v":1}}', '{"two":{"v":"s"}}'],
  ],
  'patternProperties that match some of the named properties': [
    object(
      { abc: { minimum: 5 }, other: NULL, ab: { maximum: 3 } },
      { patternProperties: { '^a': INTEGER, '^x$|^y$': STRING } },
    ),
    ['{"abc":5,"ab":3,"abcd":0,"a":1}', '{"other":null}', '{"x":"1","y":"2"}'],
    ['{"abc":4}', '{"abc":5.5}', '{"abc":5,"abc":0}', '{"ab":3,"ab":9}', '{"abcd":"x"}', '{"x":1}', '{"z":"1"}'],
  ],
}
